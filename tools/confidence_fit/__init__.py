# SPDX-License-Identifier: MIT
# Part of Dovetail.
"""What tools/fit_confidence is made of."""
