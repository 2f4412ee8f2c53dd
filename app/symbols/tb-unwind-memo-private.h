/* tb-unwind-memo-private.h: what the stacks that were unwound last had in them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/tb-unwinder.h"

G_BEGIN_DECLS

/* Threads sleep in the same places again and again. A walk depends on the registers and on those words of the stack that it
 * read: where they are the same, so is what it finds. */
typedef struct _TbUnwindMemo TbUnwindMemo;

TbUnwindMemo *tb_unwind_memo_new (void);
void tb_unwind_memo_free (TbUnwindMemo *self);
/* Another file may lie where one was. */
void tb_unwind_memo_clear (TbUnwindMemo *self);

/* 0: nothing is known of such a dump. */
guint tb_unwind_memo_find (TbUnwindMemo *self,
                           const TbStackDump *dump,
                           guint64 *addresses,
                           guint max_addresses,
                           gboolean *complete);
/* A walk begins; it reads words, offset bytes into the stack of the dump; and has found this. */
void tb_unwind_memo_begin (TbUnwindMemo *self);
void tb_unwind_memo_note_read (TbUnwindMemo *self, guint64 offset, guint64 value);
void tb_unwind_memo_keep (TbUnwindMemo *self,
                          const TbStackDump *dump,
                          const guint64 *addresses,
                          guint n_addresses,
                          gboolean complete);

G_END_DECLS
