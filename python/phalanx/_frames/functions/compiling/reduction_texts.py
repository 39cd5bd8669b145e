"""The texts of the loops of reductions, which `reductions` completes.

`given` are the parameters, each with a comma, which each function passes on to its parts.
"""

# NumPy's pairwise sum: eight sums side by side up to 128 elements, halves of more than that. The
# sums take turns, so that the element is there once: eight copies cost the compiler 100 ms.
SUM = """
def {name}({given}first, count):
    if count > 128:
        half = count // 2
        half -= half % 8
        return {name}({given}first, half) + {name}({given}first + half, count - half)
    whole = first + count - count % 8
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(first, whole):
        a, b, c, d, e, f, g, h = b, c, d, e, f, g, h, a + {term}({given}j)
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for j in range(whole, first + count):
        total += {term}({given}j)
    return total
"""

TOTAL = """
def {name}({given}):
    return {sum}({given}0, {count})
"""

MEAN = """
def {name}({given}):
    count = {there}({given})
    if count == 0:
        return np.nan
    return {sum}({given}0, {count}) / count
"""

VARIANCE = """
def {name}({given}ddof):
    count = {there}({given})
    if count <= ddof:
        return np.nan
    mean = {sum}({given}0, {count}) / count
    return {squares}({given}mean, 0, {count}) / (count - ddof)
"""

# A number that is not missing takes the place of a missing one; ints and bools are all there.
EXTREME = """
def {name}({given}):
    if {count} == 0:
        {nothing}
    best = {element}({given}0)
    for j in range(1, {count}):
        value = {element}({given}j)
        if {test}:
            best = value
    return best
"""

WHERE = """
def {name}({given}):
    if {count} == 0:
        raise ValueError('no elements')
    best, place = {element}({given}0), 0
    for j in range(1, {count}):
        value = {element}({given}j)
        if value {sign} best or (value != value and best == best):
            best, place = value, j
    return place
"""

FOLD = """
def {name}({given}):
    made = {start}
    for j in range({count}):
        value = {element}({given}j)
        if {there}:
            made = {step}
    return made
"""

PYTHON_SUM = """
def {name}({given}):
    if {count} == 0:
        {nothing}
    made = {start}
    for j in range({count}):
        made += {element}({given}j)
    return made
"""

SORTED = """
def {name}({given}part):
    count = 0
    for j in range({count}):
        value = {element}({given}j)
        if value == value:
            part[count] = value
            count += 1
        elif {stops}:
            return 0
    part[:count].sort()
    return count
"""

QUANTILE = """
def {name}({given}q):
    if not 0 <= q <= 1:
        raise ValueError('a quantile is from 0 to 1')
    part = np.empty({count}, np.float64)
    count = {sorted}({given}part)
    if count == 0:
        return np.nan
    at = q * (count - 1)
    low = int(at)
    high = low + 1 if low < count - 1 else low
    share = at - low
    step = part[high] - part[low]
    if share >= 0.5:
        return part[high] - step * (1 - share)
    return part[low] + step * share
"""

MEDIAN = """
def {name}({given}):
    part = np.empty({count}, np.float64)
    count = {sorted}({given}part)
    if count == 0:
        return np.nan
    if count % 2:
        return part[count // 2]
    return (part[count // 2 - 1] + part[count // 2]) / 2
"""

DISTINCT = """
def {name}({given}):
    part = np.empty({count}, np.float64)
    count = {sorted}({given}part)
    made = 0
    for j in range(count):
        if j == 0 or part[j] != part[j - 1]:
            made += 1
    return made
"""

CORRELATION = """
def {name}({given}):
    count, x, y = 0, 0.0, 0.0
    for position in range({count}):
        a, b = {first}, {second}
        if a == a and b == b:
            count += 1
            x += a
            y += b
    if count == 0:
        return np.nan
    x /= count
    y /= count
    xx, xy, yy = 0.0, 0.0, 0.0
    for position in range({count}):
        a, b = {first} - x, {second} - y
        if a == a and b == b:
            xx += a * a
            xy += a * b
            yy += b * b
    made = xy / (np.sqrt(xx) * np.sqrt(yy))
    return -1.0 if made < -1 else 1.0 if made > 1 else made
"""

ITEM = """
def {name}({given}place):
    count = {count}
    if place < 0:
        place += count
    if place < 0 or place >= count:
        raise IndexError('a position beyond the end')
    return {element}({given}place)
"""

KEPT = """
def {name}({given}):
    part = np.empty({count}, np.{dtype})
    count = 0
    for position in range({count}):
        if {kept}:
            part[count] = {node}
            count += 1
    return part[:count]
"""
