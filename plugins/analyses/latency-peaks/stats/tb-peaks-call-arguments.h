/* tb-peaks-call-arguments.h: meaning of the arguments of system calls: which are a file, a size,
 * flags or an address
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TB_PEAKS_ARGUMENT_OTHER,
  TB_PEAKS_ARGUMENT_FILE, /* a file descriptor */
  TB_PEAKS_ARGUMENT_SIZE,
  TB_PEAKS_ARGUMENT_FLAGS, /* or the request of a call that does many things */
  TB_PEAKS_ARGUMENT_ADDRESS,
} TbPeaksArgument;

/* name: "read"; number: 0…5. TB_PEAKS_ARGUMENT_OTHER if it is not known. */
TbPeaksArgument tb_peaks_get_argument (const char *name, guint number);
/* Whether most of the values other than 0 can only be addresses of memory. */
gboolean tb_peaks_are_addresses (const gint64 *values, guint n);

G_END_DECLS
