/* tb-unwind-memo-private.h: cache of the unwound user stacks of a process: an earlier result is
 * found again for a dump with equal registers and with equal words in all places of the stack that
 * unwinding read
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-stack-dump.h"

G_BEGIN_DECLS

/* Threads often sleep in the same places. The result of an unwinding depends on the registers and
 * on the words of the stack that it reads: if these are equal, so is the result. */
typedef struct _TbUnwindMemo TbUnwindMemo;

TbUnwindMemo *tb_unwind_memo_new (void);
void tb_unwind_memo_free (TbUnwindMemo *self);
/* Must be called when mappings change, as another file may be mapped at the same place. */
void tb_unwind_memo_clear (TbUnwindMemo *self);

/* Returns 0 if no such dump is cached. */
guint tb_unwind_memo_find (TbUnwindMemo *self,
                           const TbStackDump *dump,
                           guint64 *addresses,
                           guint max_addresses,
                           gboolean *complete,
                           gboolean *unverified);
/* Call begin() at the start of an unwinding, tb_unwind_memo_add_read() for each word it reads, with
 * the offset in bytes into the stack of the dump, and tb_unwind_memo_store() with the result. */
void tb_unwind_memo_begin (TbUnwindMemo *self);
void tb_unwind_memo_add_read (TbUnwindMemo *self, guint64 offset, guint64 value);
void tb_unwind_memo_store (TbUnwindMemo *self,
                           const TbStackDump *dump,
                           const guint64 *addresses,
                           guint n_addresses,
                           gboolean complete,
                           gboolean unverified);

G_END_DECLS
