/* tb-capture-requests.h: contents of the records that a client sends to tailback-agent: start of a
 * recording, probes, marks; a part of tb-capture-format.h
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <stdint.h>

#define TB_CAPTURE_MARK_ARGS 3

typedef struct
{
  uint16_t stacks; /* TbCaptureStackFlags that will be used */
} TbCaptureQuery;

typedef struct
{
  uint16_t scope;
  uint16_t stacks; /* TbCaptureStackFlags */
  int32_t pid;
  uint32_t sources;    /* bit mask of TbCaptureSource */
  uint32_t ring_bytes; /* per CPU, 0: chosen by the agent */
  uint32_t frequency;  /* samples per second and CPU */
  uint32_t backend;    /* TbCaptureBackend to use, 0: the best one */
  uint64_t cgroup;     /* id (inode of its directory) of the control group to record, 0: all */
  /* Flight recorder: nothing is sent before SNAPSHOT or STOP. Then the last flight_recorder_ns are
   * sent, at most flight_recorder_bytes (0: chosen by the agent). Both 0: no flight recorder. */
  uint64_t flight_recorder_ns;
  uint64_t flight_recorder_bytes;
  uint64_t trigger_ns; /* ns; a call that takes this long triggers the sending; 0: never */
  /* number of that system call, TB_CAPTURE_ANY_CALL, or TB_CAPTURE_NO_CALL: a probed function */
  uint32_t trigger_call;
  /* µs; at most one stack of a system call per thread in this time; 0: all */
  uint32_t stack_interval;
  /* ns; shorter system calls are omitted, others are sent as SYS_CALL; 0: none is omitted */
  uint64_t min_syscall_ns;
  /* size of the dump of the user stack of selected threads when they leave a CPU, at samples, and
   * at system calls that are sent with stacks; 0: no dumps */
  uint32_t dump_bytes;
} TbCaptureStart;

typedef struct
{
  uint32_t unused; /* tail: the name, of at most TB_CAPTURE_MAX_DUMP_NAME bytes */
} TbCaptureDumpThread;

typedef struct
{
  uint64_t cookie;
} TbCapturePing;

typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset; /* in the file */
  uint64_t filter; /* ns; shorter calls are not sent; 0: all are sent */
  uint32_t id;
  int32_t pid;
  uint16_t kind; /* TbCaptureProbeKind, and TB_CAPTURE_PROBE_ALL; tail: build ID bytes */
} TbCaptureProbeAdd;

/* Probes every recorded process, including those that start or map the file later. pid is only a
 * process in which the file is mapped executable. It need not be recorded: the client itself is
 * sufficient. */
#define TB_CAPTURE_PROBE_ALL (1u << 8)

typedef enum
{
  TB_CAPTURE_PROBE_ENTRY = 0, /* entry of a function: CALL */
  /* entry and return of a function: CALL and RETURN; with a filter RETURN only */
  TB_CAPTURE_PROBE_RETURN = 1,
  TB_CAPTURE_PROBE_INSTRUCTION = 2, /* any instruction: CALL */
} TbCaptureProbeKind;

/* Kinds of locations of an argument at an instruction; the list is complete. Registers have the
 * DWARF numbers of the machine. */
typedef enum
{
  TB_CAPTURE_OPERAND_NONE = 0,
  TB_CAPTURE_OPERAND_CONSTANT = 1, /* value */
  TB_CAPTURE_OPERAND_REGISTER = 2, /* base */
  TB_CAPTURE_OPERAND_MEMORY = 3,   /* the memory at base + index << shift + value */
} TbCaptureOperandKind;

#define TB_CAPTURE_REGISTER_IP 64u
#define TB_CAPTURE_REGISTER_NONE 255u
/* size: 0 to 3 for 1, 2, 4, 8 bytes */
#define TB_CAPTURE_OPERAND(kind, size, is_signed, shift, base, index)                              \
  ((uint32_t) (kind) | (uint32_t) (size) << 2 | (uint32_t) (is_signed) << 4                        \
   | (uint32_t) (shift) << 5 | (uint32_t) (base) << 8 | (uint32_t) (index) << 16)
#define TB_CAPTURE_OPERAND_GET_KIND(code) ((code) & 3u)
#define TB_CAPTURE_OPERAND_GET_SIZE(code) ((code) >> 2 & 3u)
#define TB_CAPTURE_OPERAND_IS_SIGNED(code) ((code) >> 4 & 1u)
#define TB_CAPTURE_OPERAND_GET_SHIFT(code) ((code) >> 5 & 3u)
#define TB_CAPTURE_OPERAND_GET_BASE(code) ((code) >> 8 & 255u)
#define TB_CAPTURE_OPERAND_GET_INDEX(code) ((code) >> 16 & 255u)

typedef enum
{
  TB_CAPTURE_MARK_WITH_STACK = 1, /* MARK has a stack if START requests user stacks */
  /* offset is the entry of a function: MARK is sent when it returns, with the registers of the
   * caller */
  TB_CAPTURE_MARK_AT_RETURN = 2,
  /* One of two marks of a function, at its entry and at its return. Both have the same number as
   * argument TB_CAPTURE_MARK_PAIR, which is a constant. The arguments at the return are those of
   * the entry, all 0 if the entry was not recorded */
  TB_CAPTURE_MARK_PAIRED = 4,
  /* offset is the entry of a function: its caller is in the stack */
  TB_CAPTURE_MARK_AT_ENTRY = 8,
  /* attached together with the next mark of the same file, which is faster */
  TB_CAPTURE_MARK_WITH_NEXT = 16,
  /* offset is the entry of a function that allocates or frees memory. values[0] is a
   * TbCaptureMemoryKind, values[1] the number of the argument that is the size; other members are
   * unused. MARK is sent when a thread sleeps on a futex in allocated memory: its arguments are the
   * address of the futex, the start of the memory and the ns since the allocation, its stack is
   * that of the allocation. Once such memory is freed, a MARK with its start is sent */
  TB_CAPTURE_MARK_OF_MEMORY = 32,
} TbCaptureMarkFlags;

typedef enum
{
  TB_CAPTURE_MEMORY_ALLOCATES = 1,       /* returns the address */
  TB_CAPTURE_MEMORY_ALLOCATES_ARRAY = 2, /* likewise, size × the argument before the size */
  /* stores the address where the first argument points to, unless it returns a value other than
   * 0 */
  TB_CAPTURE_MEMORY_ALLOCATES_TO_POINTER = 3,
  /* resizes the memory at the first argument, and returns its new address */
  TB_CAPTURE_MEMORY_RESIZES = 4,
  TB_CAPTURE_MEMORY_FREES = 5,           /* frees the memory at the first argument */
  TB_CAPTURE_MEMORY_CALLS_ALLOCATOR = 6, /* calls an allocator on behalf of its own caller */
  TB_CAPTURE_N_MEMORY_KINDS,
} TbCaptureMemoryKind;

#define TB_CAPTURE_MARK_PAIR 2

/* Probes every process that maps the file, now or later, if the agent may see all processes; else
 * only this process. */
typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset; /* in the file */
  /* file offset of a u16 that is incremented while the mark is in use, 0 if none */
  uint64_t semaphore;
  uint64_t values[TB_CAPTURE_MARK_ARGS];
  uint32_t operands[TB_CAPTURE_MARK_ARGS]; /* TB_CAPTURE_OPERAND */
  uint32_t id;
  int32_t pid;    /* a process that has mapped the file */
  uint16_t text;  /* 1 + number of the argument that points to text, 0 if none */
  uint16_t stack; /* TbCaptureMarkFlags */
                  /* tail: build ID bytes */
} TbCaptureMarkAdd;

typedef struct
{
  uint32_t id;
} TbCaptureProbeRemove;
