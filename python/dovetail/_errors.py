"""What the library raises. What the numbers say is never an exception: it is told in the result."""


class Error(Exception):
    """Base of everything the library raises."""


class InvalidArgument(Error, ValueError):
    """The caller's mistake: an option out of range, a cloud without points. Names it, its value and what is allowed."""


class FileError(Error, OSError):
    """A file that cannot be opened, read, understood or written. Names the file, the line or byte, and why."""


class MachineError(Error, RuntimeError):
    """A machine that was asked for and is not there, or that failed."""


for _class in (Error, InvalidArgument, FileError, MachineError):
    _class.__module__ = "dovetail"
