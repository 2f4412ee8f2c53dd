/* tb-kernel-names-private.h: check whether kernel names from a file can be those of the recorded
 * kernel, by its switches and stacks, after moving them to its load address
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"
#include "symbols/tb-address-names-private.h"

G_BEGIN_DECLS

/* Fact of a session: symbol and address of the start of the recorded kernel's code, such as "_text
 * ffffffff81000000". */
#define TB_KERNEL_NAMES_START_FACT "kernel-text"

/* Moves the names to the place of the recorded kernel, and checks them. FALSE with a one-line error
 * if they cannot be those of the recorded kernel. source: their file, for the error. */
gboolean
tb_kernel_names_fit (TbAddressNames *names, TbSession *session, const char *source, GError **error);

G_END_DECLS
