/* tb-probe-operand-private.h: where the arguments of a static probe are
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-static-probes.h"

G_BEGIN_DECLS

/* The address of a symbol; FALSE if there is none of that name. */
typedef gboolean (*TbProbeSymbolFunc) (const char *name, guint64 *address, gpointer data);

/* The arguments as a note has them: "8@%rdi -4@$1 8@16(%rsp)". machine is one of ELF's numbers, instruction the address of the
 * probe. The number of them; those that are not understood are unknown. */
guint tb_probe_operands_parse (const char *text,
                               guint machine,
                               guint64 instruction,
                               TbProbeSymbolFunc find_symbol,
                               gpointer data,
                               TbProbeOperand operands[TB_PROBE_MAX_OPERANDS]);

G_END_DECLS
