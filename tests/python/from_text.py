"""Functions made of text, whose source is found as that of functions in files."""

import linecache


def function_of(text, name, **scope):
    """The function `name` that `text` defines, among the names of `scope`."""
    file = f"<{name} {hash(text)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), scope)
    return scope[name]


def function_with(body, parameters, **scope):
    """A function of these lines and parameters."""
    text = f"def made({parameters}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return function_of(text, "made", **scope)
