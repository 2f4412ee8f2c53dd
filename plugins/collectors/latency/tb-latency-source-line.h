/* tb-latency-source-line.h: source line of an address of a program or library, read from the debug
 * information that its file has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-latency-image.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): "many.c:88"; NULL: the file has no line information there */
char *tb_latency_find_line (const TbLatencyImage *image, guint64 address);

G_END_DECLS
