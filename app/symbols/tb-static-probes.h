/* tb-static-probes.h: static probes (USDT) of a program, read from the notes of its ELF file:
 * provider, name, file offsets of instruction and semaphore, places of the arguments (parsed by
 * tb-probe-operand)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"
#include "symbols/tb-probe-operand.h"

G_BEGIN_DECLS

/**
 * TbStaticProbe:
 * @provider: name of the provider in the notes, usually that of the program
 * @name: name of the probe; several places may have the same name
 * @offset: offset of its instruction in the file
 * @semaphore: file offset of a 16-bit counter that must be incremented while the probe is in use; 0
 * if none
 * @n_operands: number of arguments
 * @operands: locations of the arguments
 *
 * One static probe (USDT) in a program.
 */
typedef struct
{
  char *provider;
  char *name;
  guint64 offset;
  guint64 semaphore;
  guint n_operands;
  TbProbeOperand operands[TB_PROBE_MAX_OPERANDS];
} TbStaticProbe;

TB_EXPORT GPtrArray *tb_static_probes_read (int fd, const char *provider, GError **error);

G_END_DECLS
