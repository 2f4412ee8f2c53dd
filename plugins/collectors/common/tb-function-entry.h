/* tb-function-entry.h: where calls of a function are seen at the least cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* So much code from a function on tells whether something jumps back to its beginning. */
#define TB_FUNCTION_ENTRY_CODE 65536u

/* Whether the kernel runs an instruction that is probed itself, without single-stepping it: as its arch/x86/kernel/uprobes.c has
 * them. */
gboolean tb_function_entry_is_cheap (const guint8 *code, gsize length);
/* code: of a function from its entry on, and what lies behind it, some TB_FUNCTION_ENTRY_CODE bytes if there are as many.
 * Bytes from the entry to the first instruction that is cheap to probe, if every call comes by it once and nothing has been done
 * until there that others can see: the return address is still on top of the stack, the first argument in its register, no memory
 * changed. 0: the entry itself. */
guint tb_function_entry_find (const guint8 *code, gsize length);

G_END_DECLS
