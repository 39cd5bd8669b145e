// Cooperative groups: the block, tiles of a warp, the threads that run together, the grid.
#pragma once
namespace cooperative_groups {

class thread_block {
 public:
  PHX_MEMBER void sync() const { __syncthreads(); }
  PHX_MEMBER unsigned thread_rank() const {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  PHX_MEMBER unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  PHX_MEMBER unsigned num_threads() const { return size(); }
  PHX_MEMBER dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  PHX_MEMBER dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  PHX_MEMBER dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  PHX_MEMBER dim3 dim_threads() const { return group_dim(); }
};
PHX_DEVICE thread_block this_thread_block() { return thread_block(); }

class grid_group {
 public:
  // The first thread of the block to come waits for the other blocks, the rest of the block for it.
  __device__ __forceinline__ void sync() const {
    __shared__ int arrived;
    __syncthreads();
    arrived = 0;
    __syncthreads();
    if (atomicAdd(&arrived, 1) == 0) __phx_grid_barrier();
    __syncthreads();
  }
  PHX_MEMBER bool is_valid() const { return true; }
  PHX_MEMBER unsigned long long size() const { return num_blocks() * this_thread_block().size(); }
  PHX_MEMBER unsigned long long num_threads() const { return size(); }
  PHX_MEMBER unsigned long long num_blocks() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  PHX_MEMBER unsigned long long block_rank() const {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  }
  PHX_MEMBER unsigned long long thread_rank() const {
    return block_rank() * this_thread_block().size() + this_thread_block().thread_rank();
  }
  PHX_MEMBER dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
};
PHX_DEVICE grid_group this_grid() { return grid_group(); }

// Some threads of a warp, by their mask.
class coalesced_group {
 public:
  unsigned mask;
  PHX_MEMBER explicit coalesced_group(unsigned mask) : mask(mask) {}
  PHX_MEMBER void sync() const { __syncwarp(mask); }
  PHX_MEMBER unsigned size() const { return __popc(mask); }
  PHX_MEMBER unsigned num_threads() const { return size(); }
  PHX_MEMBER unsigned thread_rank() const { return __popc(mask & ((1u << __phx_lane()) - 1)); }
  // The lane of the thread of that rank.
  PHX_MEMBER int lane_of(unsigned rank) const {
    unsigned rest = mask;
    for (unsigned i = 0; i < rank; ++i) rest &= rest - 1;
    return __ffs(rest) - 1;
  }
  template <typename T> PHX_MEMBER T shfl(T value, unsigned rank) const {
    return __phx_move_index(mask, value, lane_of(rank));
  }
  template <typename T> PHX_MEMBER T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return __phx_move_index(mask, value, rank + delta < size() ? lane_of(rank + delta) : (int)__phx_lane());
  }
  template <typename T> PHX_MEMBER T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return __phx_move_index(mask, value, rank >= delta ? lane_of(rank - delta) : (int)__phx_lane());
  }
  // As the only group of its making.
  PHX_MEMBER unsigned meta_group_rank() const { return 0; }
  PHX_MEMBER unsigned meta_group_size() const { return 1; }
  // Lanes by the ranks of their threads.
  PHX_MEMBER unsigned ranks_of(unsigned lanes) const {
    unsigned result = 0;
    for (unsigned i = 0; i < size(); ++i) result |= ((lanes >> lane_of(i)) & 1u) << i;
    return result;
  }
  template <typename T> PHX_MEMBER unsigned match_any(T value) const {
    return ranks_of(__match_any_sync(mask, value));
  }
  template <typename T> PHX_MEMBER unsigned match_all(T value, int& predicate) const {
    return ranks_of(__match_all_sync(mask, value, &predicate));
  }
  PHX_MEMBER int any(int predicate) const { return __ballot_sync(mask, predicate) != 0; }
  PHX_MEMBER int all(int predicate) const { return __ballot_sync(mask, predicate) == mask; }
  PHX_MEMBER unsigned ballot(int predicate) const {
    return ranks_of(__ballot_sync(mask, predicate));
  }
};
PHX_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned count, typename Parent = thread_block> class thread_block_tile {
 public:
  static_assert(count >= 1 && count <= 32 && (count & (count - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");
  PHX_MEMBER unsigned mask() const {
    return count == 32 ? 0xffffffffu : ((1u << (count % 32)) - 1) << (__phx_lane() & ~(count - 1));
  }
  PHX_MEMBER void sync() const { __syncwarp(mask()); }
  PHX_MEMBER static constexpr unsigned size() { return count; }
  PHX_MEMBER static constexpr unsigned num_threads() { return count; }
  PHX_MEMBER unsigned thread_rank() const { return __phx_lane() & (count - 1); }
  PHX_MEMBER unsigned meta_group_rank() const { return this_thread_block().thread_rank() / count; }
  PHX_MEMBER unsigned meta_group_size() const { return (this_thread_block().size() + count - 1) / count; }
  template <typename T> PHX_MEMBER T shfl(T value, int rank) const {
    return __shfl_sync(mask(), value, rank, count);
  }
  template <typename T> PHX_MEMBER T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(mask(), value, delta, count);
  }
  template <typename T> PHX_MEMBER T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(mask(), value, delta, count);
  }
  template <typename T> PHX_MEMBER T shfl_xor(T value, unsigned lanes) const {
    return __shfl_xor_sync(mask(), value, lanes, count);
  }
  PHX_MEMBER int any(int predicate) const { return __ballot_sync(mask(), predicate) != 0; }
  PHX_MEMBER int all(int predicate) const { return __ballot_sync(mask(), predicate) == mask(); }
  PHX_MEMBER unsigned ballot(int predicate) const {
    return __ballot_sync(mask(), predicate) >> (__phx_lane() & ~(count - 1));
  }
  template <typename T> PHX_MEMBER unsigned match_any(T value) const {
    return __match_any_sync(mask(), value) >> (__phx_lane() & ~(count - 1));
  }
  template <typename T> PHX_MEMBER unsigned match_all(T value, int& predicate) const {
    return __match_all_sync(mask(), value, &predicate) >> (__phx_lane() & ~(count - 1));
  }
};
template <unsigned count, typename Parent>
PHX_DEVICE thread_block_tile<count, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<count, Parent>();
}

// The block, or some threads of a warp.
class thread_group {
 public:
  PHX_MEMBER thread_group(const thread_block&) : mask(0), is_block(true) {}
  PHX_MEMBER thread_group(const coalesced_group& group) : mask(group.mask), is_block(false) {}
  template <unsigned count, typename Parent>
  PHX_MEMBER thread_group(const thread_block_tile<count, Parent>& tile)
      : mask(tile.mask()), is_block(false) {}
  PHX_MEMBER void sync() const {
    if (is_block)
      __syncthreads();
    else
      __syncwarp(mask);
  }
  PHX_MEMBER unsigned size() const {
    return is_block ? this_thread_block().size() : coalesced_group(mask).size();
  }
  PHX_MEMBER unsigned num_threads() const { return size(); }
  PHX_MEMBER unsigned thread_rank() const {
    return is_block ? this_thread_block().thread_rank() : coalesced_group(mask).thread_rank();
  }

 private:
  unsigned mask;
  bool is_block;
};
// `count` is at most 32, and a power of two.
PHX_DEVICE thread_group tiled_partition(const thread_group&, unsigned count) {
  const unsigned lanes = count >= 32 ? 0xffffffffu : (1u << count) - 1;
  return coalesced_group(lanes << (__phx_lane() & ~(count - 1)));
}
PHX_DEVICE coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
  const unsigned lanes = __ballot_sync(group.mask, predicate);
  return coalesced_group(predicate ? lanes : group.mask & ~lanes);
}
template <unsigned count, typename Parent>
PHX_DEVICE coalesced_group binary_partition(
    const thread_block_tile<count, Parent>& tile, bool predicate) {
  return binary_partition(coalesced_group(tile.mask()), predicate);
}
template <typename Label>
PHX_DEVICE coalesced_group labeled_partition(const coalesced_group& group, Label label) {
  return coalesced_group(__match_any_sync(group.mask, label));
}
template <unsigned count, typename Parent, typename Label>
PHX_DEVICE coalesced_group labeled_partition(
    const thread_block_tile<count, Parent>& tile, Label label) {
  return labeled_partition(coalesced_group(tile.mask()), label);
}

template <typename Group> PHX_DEVICE void sync(const Group& group) { group.sync(); }

template <typename T> struct plus { PHX_MEMBER T operator()(T a, T b) const { return a + b; } };
template <typename T> struct less { PHX_MEMBER T operator()(T a, T b) const { return b < a ? b : a; } };
template <typename T> struct greater { PHX_MEMBER T operator()(T a, T b) const { return a < b ? b : a; } };
template <typename T> struct bit_and { PHX_MEMBER T operator()(T a, T b) const { return a & b; } };
template <typename T> struct bit_or { PHX_MEMBER T operator()(T a, T b) const { return a | b; } };
template <typename T> struct bit_xor { PHX_MEMBER T operator()(T a, T b) const { return a ^ b; } };
template <unsigned count, typename Parent, typename T, typename Join>
PHX_DEVICE T reduce(const thread_block_tile<count, Parent>& tile, T value, Join join) {
  for (unsigned lanes = count / 2; lanes > 0; lanes /= 2) {
    const T other = tile.shfl_xor(value, lanes);
    value = join(value, other);
  }
  return value;
}
template <typename T, typename Join>
PHX_DEVICE T reduce(const coalesced_group& group, T value, Join join) {
  T result = group.shfl(value, 0);
  for (unsigned i = 1; i < group.size(); ++i) {
    const T other = group.shfl(value, i);
    result = join(result, other);
  }
  return result;
}

}  // namespace cooperative_groups
