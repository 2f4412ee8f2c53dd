/* tb-recorded-names-private.h: function names that the facts of a recording have, of its files or
 * its kernel: loaded into a table by address (tb-address-names) and demangled; those of the kernel
 * are checked by tb-kernel-names
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"
#include "symbols/tb-address-names-private.h"

G_BEGIN_DECLS

/* What is shown in place of the file that names are from. */
#define TB_RECORDED_NAMES_SOURCE "embedded in the recording"

/* The fact "symbols-of:PATH" has the functions of a file, by file offset, as lines of a perf map;
 * mangled names are demangled. Returns NULL if the recording has none. */
TbAddressNames *tb_recorded_names_load (TbSession *session, const char *path);
/* The fact "kernel-symbols-copied" has lines of a copy of kallsyms, "symbols-of:[kernel]" some of
 * the kernel's functions. Returns NULL if the recording has neither, or, with an error, if they
 * contradict it. */
TbAddressNames *tb_recorded_names_load_kernel (TbSession *session, GError **error);

G_END_DECLS
