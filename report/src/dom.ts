// SPDX-License-Identifier: MIT
// Part of Dovetail.

/** Elements made in code: text is always text, never markup. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

/** A part of the side panel. */
export function section(title: string, ...children: Child[]): HTMLElement {
  return h("section", {}, h("h2", {}, title), ...children);
}

/** A row of buttons of which one is pressed. */
export class Choice<Value extends string | number> {
  readonly element: HTMLElement;
  private readonly buttons = new Map<Value, HTMLButtonElement>();
  private chosen: Value;

  constructor(
    label: string,
    options: { value: Value; text: string; title?: string }[],
    first: Value,
    private readonly changed: (value: Value) => void,
  ) {
    this.chosen = first;
    this.element = h("div", { class: "choice", role: "group", "aria-label": label });
    for (const option of options) {
      const button = h(
        "button",
        { type: "button", title: option.title, "data-value": option.value, click: () => this.choose(option.value) },
        option.text,
      );
      this.buttons.set(option.value, button);
      this.element.append(button);
    }
    this.mark();
  }

  get value(): Value {
    return this.chosen;
  }
  get values(): Value[] {
    return [...this.buttons.keys()];
  }

  choose(value: Value): void {
    this.show(value);
    this.changed(value);
  }

  /** Marks a value as chosen without telling anyone. */
  show(value: Value): void {
    this.chosen = value;
    this.mark();
  }

  /** The next one in the row. */
  next(): void {
    const values = this.values;
    const value = values[(values.indexOf(this.chosen) + 1) % values.length];
    if (value !== undefined) this.choose(value);
  }

  private mark(): void {
    for (const [value, button] of this.buttons) button.setAttribute("aria-pressed", String(value === this.chosen));
  }
}
