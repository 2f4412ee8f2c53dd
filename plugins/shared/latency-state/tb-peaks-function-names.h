/* tb-peaks-function-names.h: names of functions, as users request them and as operations have them:
 * split, compared, found in a session; names of softirqs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

/* (transfer full): "f0" of "f0", "f0@program", "/usr/bin/program:f0" or "libc:f0". Sets module to
 * the file name without its path, NULL if there is none. */
char *tb_peaks_split_function (const char *name, char **module);
/* Whether both names may denote the same function: modules are compared if both have one; "libc"
 * matches "libc.so.6". */
gboolean tb_peaks_is_same_function (const char *one, const char *other);
/* The same for operations such as "function:f0@program"; operations of other kinds match if their
 * names are equal. */
gboolean tb_peaks_is_same_operation (const char *one, const char *other);
/* (transfer full) (element-type utf8 utf8): "f0@program" for each probed function, by the requested
 * name. */
GHashTable *tb_peaks_read_probed (TbSession *session);
/* (transfer full): "f0@program", or as much of it as is known */
char *tb_peaks_name_function (GHashTable *probed, const char *name);
/* The kernel's name of a softirq, such as "BLOCK"; "" if the number is unknown. */
const char *tb_peaks_get_softirq_name (guint32 number);

G_END_DECLS
