/* tb-function-entry.h: cheapest location for a probe of a function's calls: its entry or an
 * instruction soon after it that the kernel need not single-step
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Number of bytes of code that are searched for jumps back to the function's beginning */
#define TB_FUNCTION_ENTRY_CODE 65536u

/* Whether the kernel emulates a probed instruction instead of single-stepping it, according to its
 * arch/x86/kernel/uprobes.c */
gboolean tb_function_entry_is_cheap (const guint8 *code, gsize length);
/* code: the function's code from its entry, and the bytes behind it, up to TB_FUNCTION_ENTRY_CODE
 * in total. Returns the offset of the first instruction that is cheap to probe, if every call
 * passes it exactly once and no visible effect has occurred before it: the return address is still
 * on top of the stack, the first argument in its register, and memory unchanged. 0: the entry
 * itself. */
guint tb_function_entry_find (const guint8 *code, gsize length);

G_END_DECLS
