// The functions of libdevice that no operation of the IR equals, for the CPU device.
#pragma once

#include <string_view>

namespace phalanx::runtime {

// The address of the function, of libdevice's own type ("__nv_byte_perm"); nullptr if there is
// none.
void* find_libdevice_function(std::string_view name);

}  // namespace phalanx::runtime
