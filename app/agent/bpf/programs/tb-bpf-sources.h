/* tb-bpf-sources.h: records of block I/O, messages, system calls, samples, probed calls, marks and
 * locks of files in the rings of BPF programs
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Included by both sides, like tb-bpf-record.h.
 */

#pragma once

#include "tb-bpf-record.h"

typedef enum
{
  TB_BPF_IO_INSERT = 16,
  TB_BPF_IO_ISSUE = 17,
  TB_BPF_IO_COMPLETE = 18,
  TB_BPF_FILE = 19, /* path of a file, before the first request that refers to it */
  TB_BPF_NETWORK = 20,
  TB_BPF_UNIX_NAMES = 21, /* of a unix socket and its peer, before its first message */
  TB_BPF_SYS_ENTER = 22,
  TB_BPF_SYS_EXIT = 23,
  TB_BPF_SYS_CALL = 24,
  TB_BPF_SAMPLE = 25,
  TB_BPF_CALL = 26,
  TB_BPF_RETURN = 27,
  TB_BPF_MARK = 28,
  TB_BPF_FILE_LOCK = 29,
} TbBpfSourceType;

/* Identity of a file in the kernel; inode 0: none, or unknown. */
typedef struct
{
  u64 inode;
  u32 device; /* of its file system */
  u32 generation;
} TbBpfFileId;

/* Flags of a request, the same for all kernels */
typedef enum
{
  TB_BPF_IO_FUA = 1 << 0,
  TB_BPF_IO_AHEAD = 1 << 1,
  TB_BPF_IO_SYNC = 1 << 2,
  TB_BPF_IO_META = 1 << 3,
  TB_BPF_IO_PREFLUSH = 1 << 4,
} TbBpfIoFlags;

typedef struct
{
  TbBpfHeader header;
  u64 sector;
  u32 bytes;
  u32 device;
  u32 operation; /* the kernel's number */
  u32 io_flags;  /* TbBpfIoFlags */
  TbBpfFileId file;
  TbBpfStack stack;
} TbBpfIo;

/* The names of the file and its parent folders follow, innermost first, each NUL-terminated, up to
 * the root of its file system. If some are missing, the path is unknown. */
#define TB_BPF_FILE_NAMES 4096u

typedef struct
{
  TbBpfHeader header;
  TbBpfFileId file;
  u32 length; /* of the names */
  u32 deleted;
  /* names */
} TbBpfFile;

typedef enum
{
  TB_BPF_NET_HAS_LOCAL = 1 << 0,
  TB_BPF_NET_HAS_REMOTE = 1 << 1,
} TbBpfNetworkFlags;

typedef struct
{
  TbBpfHeader header;
  u64 socket;
  u64 bytes;
  u8 local[16]; /* in the format of family */
  u8 remote[16];
  u16 local_port;
  u16 remote_port;
  u16 family;
  u16 protocol;
  u16 kind;  /* TbCaptureNetworkKind */
  u16 known; /* TbBpfNetworkFlags */
  u32 unused;
  TbBpfStack stack;
} TbBpfNetwork;

#define TB_BPF_UNIX_PATH 108u

/* An address of length 0 is no address; one that begins with NUL is abstract. */
typedef struct
{
  TbBpfHeader header;
  u64 socket;
  u32 local_length;
  u32 remote_length;
  u8 local[TB_BPF_UNIX_PATH];
  u8 remote[TB_BPF_UNIX_PATH];
} TbBpfUnixNames;

/* A call that ends on another CPU than it began, or not at all, or with other registers than it
 * began with */
typedef struct
{
  TbBpfHeader header;
  u64 entered;
  u64 args[6];
  u32 number;
  u32 unused;
  TbBpfStack stack;
} TbBpfSysEnter;

typedef struct
{
  TbBpfHeader header;
  u64 result;
  u32 number;
  u32 unused;
} TbBpfSysExit;

typedef struct
{
  TbBpfHeader header;
  u64 entered;
  u64 args[6];
  u64 result;
  u32 number;
  u32 unused;
  TbBpfStack stack;
} TbBpfSysCall;

typedef struct
{
  TbBpfHeader header;
  u64 weight;
  TbBpfStack stack;
} TbBpfSample;

typedef struct
{
  TbBpfHeader header;
  u64 entered; /* RETURN record of a probe with a filter */
  u64 site;
  u32 probe;
  u32 unused;
  TbBpfStack stack;
} TbBpfCall;

typedef enum
{
  TB_BPF_LOCK_FLOCK = 0,
  TB_BPF_LOCK_FCNTL = 1,
} TbBpfLockCall;

typedef enum
{
  TB_BPF_LOCK_DONE = 0,
  TB_BPF_LOCK_REFUSED = 1, /* another one has it */
  TB_BPF_LOCK_WAITS = 2,
  TB_BPF_LOCK_FAILED = 3,
} TbBpfLockResult;

/* A request for the lock of a part of a file, or its release */
typedef struct
{
  TbBpfHeader header;
  TbBpfFileId file;
  u64 owner; /* a process, or an open file */
  u64 from;
  u64 to;
  u32 mode; /* 0 shared, 1 exclusive, 2 release */
  u32 call; /* TbBpfLockCall */
  u32 result;
  u32 unused;
} TbBpfFileLock;

#define TB_BPF_MARK_ARGS 3
#define TB_BPF_MAX_MARKED_CALLS 16384
#define TB_BPF_MARK_TEXT 64u /* including its NUL */

/* Location of an argument of a mark. Registers are offsets in the program's context, or
 * TB_BPF_NO_REGISTER. */
typedef struct
{
  u64 value;
  u32 kind; /* TbCaptureOperandKind */
  u16 base;
  u16 index;
  u8 size; /* 0 to 3 for 1, 2, 4, 8 bytes */
  u8 is_signed;
  u8 shift;
  u8 unused[5];
} TbBpfOperand;

#define TB_BPF_NO_REGISTER 0xffffu
#define TB_BPF_MAX_REGISTER 512u

/* Value of the map tb_marks */
typedef struct
{
  TbBpfOperand operands[TB_BPF_MARK_ARGS];
  u32 text;          /* 1 + the index of the argument that points to a text, 0: none */
  u16 stack;         /* TbBpfMarkStack, 0: none */
  u16 stack_pointer; /* offset of that register */
  u32 pair;          /* number shared by the entry and the return of a function, 0: none */
  u32 returns;
} TbBpfMarkPlace;

typedef enum
{
  TB_BPF_MARK_STACK = 1,
  TB_BPF_MARK_ENTERED = 2, /* the mark is at a function's beginning */
} TbBpfMarkStack;

/* Followed by the text, if there is one, else by the words of the stack. */
typedef struct
{
  TbBpfHeader header;
  u64 args[TB_BPF_MARK_ARGS];
  u32 probe;
  u32 text; /* TbBpfMarkText */
  TbBpfStack stack;
} TbBpfMark;

typedef enum
{
  TB_BPF_MARK_NO_TEXT = 0,
  TB_BPF_MARK_HAS_TEXT = 1,
  /* in memory that cannot be read now; the agent may be able to read it */
  TB_BPF_MARK_UNREAD_TEXT = 2,
} TbBpfMarkText;

_Static_assert (sizeof (TbBpfOperand) == 24, "layout");
_Static_assert (sizeof (TbBpfMarkPlace) == 88, "layout");
_Static_assert (sizeof (TbBpfMark) == 72, "layout");
_Static_assert (sizeof (TbBpfFileId) == 16, "layout");
_Static_assert (sizeof (TbBpfIo) == 80, "layout");
_Static_assert (sizeof (TbBpfFile) == 48, "layout");
_Static_assert (sizeof (TbBpfNetwork) == 104, "layout");
_Static_assert (sizeof (TbBpfUnixNames) == 256, "layout");
_Static_assert (sizeof (TbBpfSysEnter) == 104, "layout");
_Static_assert (sizeof (TbBpfSysExit) == 40, "layout");
_Static_assert (sizeof (TbBpfSysCall) == 112, "layout");
_Static_assert (sizeof (TbBpfSample) == 48, "layout");
_Static_assert (sizeof (TbBpfCall) == 64, "layout");
_Static_assert (sizeof (TbBpfFileLock) == 80, "layout");
