/* tb-probe-operand-private.h: parser of the argument texts of static probes (USDT) into operands:
 * registers, memory, constants
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-probe-operand.h"

G_BEGIN_DECLS

/* Finds the address of a symbol; returns FALSE if there is none of that name. */
typedef gboolean (*TbProbeSymbolFunc) (const char *name, guint64 *address, gpointer data);

/* Parses the arguments in a note: "8@%rdi -4@$1 8@16(%rsp)". machine is an ELF machine number,
 * instruction the address of the probe. Returns the number of arguments; those that cannot be
 * parsed are unknown. */
guint tb_probe_operands_parse (const char *text,
                               guint machine,
                               guint64 instruction,
                               TbProbeSymbolFunc find_symbol,
                               gpointer data,
                               TbProbeOperand operands[TB_PROBE_MAX_OPERANDS]);

G_END_DECLS
