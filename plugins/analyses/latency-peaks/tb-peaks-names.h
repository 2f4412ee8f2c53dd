/* tb-peaks-names.h: functions by name: as they were asked for, and as operations are called
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-session.h"

G_BEGIN_DECLS

/* (transfer full): "f0" of "f0", "f0@program", "/usr/bin/program:f0" or "libc:f0"; and into module the file's own name, NULL where
 * it says none. */
char *tb_peaks_split_function (const char *name, char **module);
/* Whether both may mean the same function: modules are compared where both name one, of which "libc" means "libc.so.6". */
gboolean tb_peaks_is_same_function (const char *one, const char *other);
/* Likewise of operations, "function:f0@program"; others are the same if their names are. */
gboolean tb_peaks_is_same_operation (const char *one, const char *other);
/* (transfer full) (element-type utf8 utf8): "f0@program" of each function that was probed, by the name it was asked for. */
GHashTable *tb_peaks_read_probed (TbSession *session);
/* (transfer full): "f0@program", or what is known of that. */
char *tb_peaks_name_function (GHashTable *probed, const char *name);
/* "BLOCK": what the kernel calls a soft interrupt of that number; "" there is none. */
const char *tb_peaks_get_softirq_name (guint32 number);

G_END_DECLS
