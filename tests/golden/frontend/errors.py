# ruff: noqa
import math
from collections import namedtuple

import numpy as np

from phalanx import cuda

SIZE = 4
TABLE = np.zeros(4)
SETTINGS = {"size": 4}
Point = namedtuple("Point", "x y")


# (float32[::1], int64)
def unknown_name(a, n):
    a[0] = missing + n


# (float32[::1])
def unknown_attribute(a):
    a[0] = cuda.nothing(1)


# (float32[::1])
def unknown_module_function(a):
    a[0] = math.nothing


# (float32[::1])
def used_before_assigned(a):
    a[0] = x
    x = 1


# (float32[::1], int64)
def never_assigned_in_loop(a, n):
    for i in range(n):
        y = y + 1


# (float32[::1], int64)
def types_do_not_unify(a, n):
    if n > 0:
        x = 1
    else:
        x = a
    a[0] = x


# (float32[::1], int64)
def types_change_in_loop(a, n):
    x = 0
    for i in range(n):
        a[i] = x
        x = a


# (float32[:, ::1], int64)
def too_many_indices(a, n):
    a[0, 1, n] = 1


# (float32[::1], float64)
def float_index(a, x):
    a[x] = 1


# (float32[::1])
def array_in_arithmetic(a):
    b = a + 1


# (float32[::1])
def truth_of_array(a):
    if a:
        a[0] = 1


# (float32[::1], complex128)
def complex_into_float(a, z):
    a[0] = z


# (complex128[::1])
def order_of_complex(a):
    if a[0] < a[1]:
        a[0] = 1


# (float32[::1])
def list_comprehension(a):
    b = [x for x in a]


# (float32[::1])
def dict_literal(a):
    b = {"x": 1}


# (float32[::1])
def f_string(a):
    print(f"{a[0]}")


# (float32[::1])
def try_statement(a):
    try:
        a[0] = 1
    except ValueError:
        pass


# (float32[::1])
def with_statement(a):
    with a:
        a[0] = 1


# (float32[::1])
def import_inside(a):
    import math

    a[0] = math.pi


# (float32[::1])
def global_statement(a):
    global SIZE
    SIZE = 1


# (float32[::1])
def yielding(a):
    yield a[0]


# (float32[::1])
def starred_target(a):
    x, *y, z = (1,)


# (float32[::1], int64)
def returns_a_value(a, n):
    return n


# device (float32[::1], int64)
def returns_two_types(a, n):
    if n:
        return n
    return a


# (float32[::1])
def wrong_count_to_unpack(a):
    x, y = (1, 2, 3)


# (float32[::1], int64)
def number_to_unpack(a, n):
    x, y = n


# (float32[::1], int64)
def shape_not_known(a, n):
    b = cuda.local.array(n, np.float32)


# (float32[::1], int64)
def dimensions_not_known(a, n):
    a[0] = cuda.grid(n)


# (float32[::1])
def too_many_dimensions(a):
    a[0] = cuda.grid(4)


# (float32[::1])
def wrong_arguments(a):
    cuda.atomic.add(a, 0)


# (int16[::1])
def atomic_on_small_type(a):
    cuda.atomic.add(a, 0, 1)


# (float32[::1])
def atomic_cas_on_floats(a):
    cuda.atomic.cas(a, 0, 1.0, 2.0)


# (float32[::1])
def dtype_not_a_type(a):
    b = cuda.local.array(4, 17)


# (float32[::1])
def write_to_constant(a):
    TABLE[0] = a[0]


# (float32[::1])
def unusable_global(a):
    a[0] = SETTINGS["size"]


# (float32[::1])
def no_such_array_attribute(a):
    a[0] = a.tolist()


# (float32[::1], float64)
def no_such_number_attribute(a, x):
    a[0] = x.size


# (float32[::1], float64)
def iterate_over_number(a, x):
    for i in x:
        a[0] = i


# (float32[::1], float64)
def range_over_float(a, x):
    for i in range(x):
        a[0] = i


# (float32[::1])
def range_without_step(a):
    for i in range(0, 10, 0):
        a[0] = i


# (float32[::1], int64)
def tuple_index_outside(a, n):
    a[0] = (1, 2)[2]


# (float32[::1], int64)
def computed_index_of_mixed_tuple(a, n):
    a[0] = (1, 2.5)[n]


# (float32[::1])
def function_does_not_take(a):
    a[0] = math.sin(a)


# (float32[::1])
def call_a_number(a):
    a[0] = SIZE(1)


def helper(x, y):
    return x + y


# (float32[::1])
def missing_argument(a):
    a[0] = helper(1)


# (float32[::1])
def too_many_arguments(a):
    a[0] = helper(1, 2, 3)


# (float32[::1])
def unknown_keyword(a):
    a[0] = helper(1, z=2)


# (float32[::1])
def error_in_device_function(a):
    a[0] = helper(a, 1)


def endless(n):
    return endless(n - 1)


# (float32[::1])
def recursion_without_end(a):
    a[0] = endless(3)


# (float32[::1])
def named_tuple_fields(a):
    p = Point(1)


# (float32[::1])
def named_tuple_attribute(a):
    p = Point(1, 2)
    a[0] = p.z


# (float32[::1], int64)
def raise_with_value(a, n):
    raise ValueError(n)


# (float32[::1], int64)
def raise_a_number(a, n):
    raise n


# (float32[::1])
def matrix_product(a):
    b = a @ a


# (float32[::1])
def nonlocal_statement(a):
    x = 1

    def inner():
        nonlocal x
        x = 2

    inner()


# (float32[::1])
def print_an_array(a):
    print(a)


# (float32[::1])
def slice_with_float(a):
    b = a[0:1.5]


# (float32[::1])
def condition_of_unicode(a):
    größe = a[0]
    a[1] = größe + größe.nichts


# (float32[::1])
def over_several_lines(a):
    a[0] = math.sin(
        a,
    )


@cuda.jit("int32(int32)", device=True)
def declared(x):
    return x


# (complex128[::1])
def declared_for_other_types(a):
    a[0] = declared(a[0])


# (float32[::1])
def ufunc_without_output(a):
    b = np.sin(a)


# (float32[:])
def reshape_of_strided(a):
    b = a.reshape(2, 3)


# (float32[::1])
def keywords_from_a_dict(a):
    a[0] = helper(**SETTINGS)


# (float32[::1], int64)
def recursion_through_two(a, n):
    a[0] = ping(n)


def ping(n):
    return pong(n - 1)


def pong(n):
    return ping(n - 1)


# (float32[::1])
def range_without_arguments(a):
    for i in range():
        a[0] = i


# (float32[::1], int64)
def break_of_nothing_to_unpack(a, n):
    for i, j in range(n):
        a[0] = i


# (float32[::1])
def kernel_named_as_function(a):
    a[0] = cuda.threadIdx


# (float32[::1], int64)
def attribute_of_number_assigned(a, n):
    n.x = 1


# (int64[::1])
def nested_functions_in_a_circle(a):
    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    a[0] = even(a[1])


def growing(t):
    return growing((*t, 1))


# (int64[::1])
def recursion_with_growing_types(a):
    a[0] = growing((1,))


def nested_list(n):
    if n <= 0:
        return None
    return (n, nested_list(n - 1))


# (int64[::1])
def recursion_into_a_list(a):
    nested_list(a[0])


# (float64[::1])
def method_of_a_class_of_python(a):
    a[0] = float.fromhex("1")
