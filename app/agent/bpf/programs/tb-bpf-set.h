/* tb-bpf-set.h: number that identifies the set of descriptors that poll(), select() or epoll waits
 * for, and the only descriptor of a set
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program that waits for the same set again after a timeout waits for the same thing. The number
 * does not depend on the order of the descriptors.
 */

#pragma once

#include "tb-bpf-sleep-record.h"
#include "tb-bpf-syscall.h"

#define TB_NO_DESCRIPTOR 0xffffffffu

/* An entry of the array of poll() */
typedef struct
{
  int descriptor;
  short events;
  short results;
} TbPollEntry;

/* Spreads the bits of a number, so that the sum over a set identifies it. */
static __always_inline u64
tb_spread (u64 value)
{
  value = (value + 1) * 0x9e3779b97f4a7c15ull;
  value ^= value >> 29;
  return value * 0xbf58476d1ce4e5b9ull;
}

/* Entries with a negative descriptor are left out, as poll() does. They are read one by one: a read
 * of all has a length that the verifier cannot follow. */
static __always_inline u64
tb_read_array_set (const TbCall *call, u32 *only)
{
  const TbPollEntry *entries = (const void *) call->args[0];
  u32 n = (u32) call->args[1], n_used = 0;
  u64 sum = n > TB_BPF_MAX_SET ? n : 0;
  TbPollEntry entry;

  for (u32 i = 0; i < TB_BPF_MAX_SET; i++)
    {
      if (i >= n)
        break;
      if (bpf_probe_read_user (&entry, sizeof entry, &entries[i]) != 0)
        {
          *only = TB_NO_DESCRIPTOR;
          return 0;
        }
      if (entry.descriptor < 0)
        continue;
      sum += tb_spread ((u32) entry.descriptor);
      *only = (u32) entry.descriptor;
      n_used++;
    }
  if (n_used != 1 || n > TB_BPF_MAX_SET)
    *only = TB_NO_DESCRIPTOR;
  return n_used == 0 && n <= TB_BPF_MAX_SET ? TB_BPF_EMPTY_SET : sum;
}

/* The place of the only bit, TB_NO_DESCRIPTOR if several are set. */
static __always_inline u32
tb_find_bit (u64 word)
{
  u32 bit = 0;

  if (word == 0 || (word & (word - 1)) != 0)
    return TB_NO_DESCRIPTOR;
  for (u32 step = 32; step > 0; step /= 2)
    if (word >> step != 0)
      {
        word >>= step;
        bit += step;
      }
  return bit;
}

static __always_inline u64
tb_read_bit_set (const TbCall *call, u32 *only)
{
  u64 all[2] = { 0, 0 };
  u32 n = (u32) call->args[0];

  if (n == 0)
    return TB_BPF_EMPTY_SET;
  for (u32 i = 1; i <= 3; i++)
    {
      const u64 *words = (const void *) call->args[i];
      u64 word = 0;

      if (words == NULL)
        continue;
      if (bpf_probe_read_user (&word, sizeof word, words) != 0)
        return 0;
      all[0] |= word;
      if (n <= 64)
        continue;
      if (bpf_probe_read_user (&word, sizeof word, words + 1) != 0)
        return 0;
      all[1] |= word;
    }
  if (n <= 128 && all[0] == 0 && all[1] == 0)
    return TB_BPF_EMPTY_SET;
  if (n <= 128 && (all[0] == 0 || all[1] == 0))
    {
      *only = tb_find_bit (all[0] | all[1]);
      if (*only != TB_NO_DESCRIPTOR && all[0] == 0)
        *only += 64;
    }
  return (all[0] != 0 ? tb_spread (all[0]) : 0) + (all[1] != 0 ? tb_spread (~all[1]) : 0)
         + (n > 128 ? n : 0);
}

/* only: the descriptor of the set, TB_NO_DESCRIPTOR if there are several or none. */
static __always_inline u64
tb_read_set (const TbCall *call, u32 kind, u32 *only)
{
  *only = TB_NO_DESCRIPTOR;
  if (kind == TB_BPF_SET_ARRAY)
    return tb_read_array_set (call, only);
  if (kind == TB_BPF_SET_BITS)
    return tb_read_bit_set (call, only);
  return tb_spread ((u32) call->args[0]);
}
