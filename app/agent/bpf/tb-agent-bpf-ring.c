/* tb-agent-bpf-ring.c: BPF ring buffer of one CPU: its creation, and reading of the records in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/bpf/tb-agent-bpf-object.h"
#include "agent/bpf/tb-agent-bpf-ring.h"

/* Space is returned to the kernel in steps, not after each record. */
#define RELEASE_STEP (64u << 10)

int
tb_agent_bpf_ring_open (TbAgentBpfRing *self, uint64_t size)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  uint8_t *kernel_side;

  memset (self, 0, sizeof *self);
  self->size = size;
  self->fd = tb_agent_bpf_map_new (BPF_MAP_TYPE_RINGBUF, "tb_ring", 0, 0, (unsigned) size, 0);
  if (self->fd < 0)
    return -1;
  self->consumed = mmap (NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, 0);
  if (self->consumed == MAP_FAILED)
    {
      self->consumed = NULL;
      tb_agent_bpf_ring_close (self);
      return -1;
    }
  kernel_side = mmap (NULL, page + 2 * size, PROT_READ, MAP_SHARED, self->fd, (off_t) page);
  if (kernel_side == MAP_FAILED)
    {
      tb_agent_bpf_ring_close (self);
      return -1;
    }
  /* The attach helper and other forked processes do not read the ring. Without this call fork()
   * would take longer with each CPU. */
  (void) madvise (kernel_side, page + 2 * size, MADV_DONTFORK);
  self->produced = (const uint64_t *) (const void *) kernel_side;
  self->data = kernel_side + page;
  return 0;
}

void
tb_agent_bpf_ring_close (TbAgentBpfRing *self)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);

  if (self->consumed != NULL)
    munmap (self->consumed, page);
  if (self->produced != NULL)
    munmap ((void *) self->produced, page + 2 * self->size);
  if (self->fd >= 0)
    close (self->fd);
  memset (self, 0, sizeof *self);
  self->fd = -1;
}

int
tb_agent_bpf_ring_drain (TbAgentBpfRing *self, TbAgentBpfRingFunc visit, void *data)
{
  uint64_t at, end, released;
  int complete = 1;

  if (self->produced == NULL)
    return 1;
  at = released = __atomic_load_n (self->consumed, __ATOMIC_RELAXED);
  end = __atomic_load_n (self->produced, __ATOMIC_ACQUIRE);
  while (at < end)
    {
      const uint8_t *place = self->data + (at & (self->size - 1));
      uint32_t length = __atomic_load_n ((const uint32_t *) (const void *) place, __ATOMIC_ACQUIRE);
      uint32_t size = length & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

      if ((length & BPF_RINGBUF_BUSY_BIT) != 0)
        {
          complete = 0;
          break;
        }
      if ((length & BPF_RINGBUF_DISCARD_BIT) == 0)
        visit (place + BPF_RINGBUF_HDR_SZ, size, data);
      at += (size + BPF_RINGBUF_HDR_SZ + 7u) & ~(uint64_t) 7;
      if (at - released >= RELEASE_STEP)
        {
          __atomic_store_n (self->consumed, at, __ATOMIC_RELEASE);
          released = at;
        }
    }
  __atomic_store_n (self->consumed, at, __ATOMIC_RELEASE);
  return complete;
}
