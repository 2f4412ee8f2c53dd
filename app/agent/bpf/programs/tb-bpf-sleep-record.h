/* tb-bpf-sleep-record.h: record of what a thread waits for when it leaves its CPU (system call,
 * object, timeout); type of the agent's table of which arguments of a system call are object and
 * timeout
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides, like tb-bpf-record.h.
 */

#pragma once

#include "tb-bpf-sources.h"

/* Role of each argument of a system call; 0: none, else 1 + its index */
typedef struct
{
  u8 descriptor;
  u8 timeout;
  u8 timeout_kind; /* TbBpfTimeoutKind */
  u8 indirect; /* 1 + the offset of a u64 that replaces the first argument, which points to it */
  u8 set;      /* TbBpfSetKind */
} TbBpfCallShape;

/* How the arguments of a call describe the set of descriptors that it waits for */
typedef enum
{
  TB_BPF_SET_NONE = 0,
  TB_BPF_SET_ARRAY = 1,  /* poll(): an array, and its length */
  TB_BPF_SET_BITS = 2,   /* select(): the number of descriptors, and three sets of bits */
  TB_BPF_SET_OBJECT = 3, /* epoll: a descriptor that stands for the set */
} TbBpfSetKind;

#define TB_BPF_MAX_SET 16 /* entries of an array that are read; of bits eight times as many */

#define TB_BPF_EMPTY_SET 1u /* the number of a set without descriptors */

#define TB_BPF_MAX_CALLS 512u

typedef enum
{
  TB_BPF_TIMEOUT_TIMESPEC = 0, /* a pointer, as is the next */
  TB_BPF_TIMEOUT_TIMEVAL = 1,
  TB_BPF_TIMEOUT_MILLISECONDS = 2, /* negative: no timeout */
} TbBpfTimeoutKind;

typedef enum
{
  TB_BPF_TIMEOUT_NONE = 0,
  TB_BPF_TIMEOUT_UNREADABLE = 1,
  TB_BPF_TIMEOUT_GIVEN = 2, /* ns */
} TbBpfTimeoutState;

typedef enum
{
  TB_BPF_OBJECT_NONE = 0,
  TB_BPF_OBJECT_FILE = 1, /* file identifies it, mode is its kind */
  TB_BPF_OBJECT_PIPE = 2,
  TB_BPF_OBJECT_SOCKET = 3,
  TB_BPF_OBJECT_NAMED = 4,  /* an anonymous inode such as eventfd, by name */
  TB_BPF_OBJECT_MAPPED = 5, /* file identifies it; args[1] is the offset in it */
} TbBpfObjectKind;

#define TB_BPF_NO_CALL 0xffffffffu      /* a page fault; args[0] is its address, 0: unknown */
#define TB_BPF_FOREIGN_CALL 0xfffffffeu /* call of another ABI, with other numbers */
#define TB_BPF_SOCKET_LISTENS (1u << 2) /* extends TbBpfNetworkFlags */

/* Of a call with a set, args[0] is a number that identifies it (0: unknown; TB_BPF_EMPTY_SET: no
 * descriptors); the object is that of its only descriptor. */
typedef struct
{
  u64 args[2];
  u64 timeout;
  u32 number;
  u8 timeout_state; /* TbBpfTimeoutState */
  u8 object_kind;
  u16 mode;
  TbBpfFileId file;
  u64 identity; /* of a socket; or the number of a device */
  u16 family;
  u16 known; /* TbBpfNetworkFlags */
  u16 local_port;
  u16 remote_port;
  u8 local[16]; /* of a socket; otherwise the name */
  u8 remote[16];
} TbBpfSleep;

/* A SWITCH with TB_BPF_HAS_SLEEP */
typedef struct
{
  TbBpfSwitch base;
  TbBpfSleep sleep;
} TbBpfSleepSwitch;

_Static_assert (sizeof (TbBpfSleep) == 96, "layout");
