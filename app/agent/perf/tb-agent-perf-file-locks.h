/* tb-agent-perf-file-locks.h: translation of the tracepoints of file locks (flock(), fcntl()) into
 * records of the capture stream, with the path of the file where a descriptor shows it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/core/tb-agent-private.h"

/* A field in the description of a tracepoint of file locks. size is 0 if there is none. */
TbAgentField tb_agent_file_locks_find_field (const char *format, const char *name);
/* pid: the process that requests or releases the lock, -1: unknown. Returns 0 if the record is
 * invalid. */
int tb_agent_file_locks_translate (TbAgent *self,
                                   TbAgentEvent event,
                                   TbCaptureRecord *record,
                                   const uint8_t *raw,
                                   size_t size,
                                   int32_t pid);
/* Finds the path of a file among the open files of a process. device: as tracepoints have it.
 * folder: "/proc/PID". Returns its length, 0 if it is not open there. */
size_t tb_agent_file_locks_find_path (const char *folder,
                                      uint32_t device,
                                      uint64_t inode,
                                      char *path,
                                      size_t size);
