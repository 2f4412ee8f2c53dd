/* tb-peaks-server-calls.h: selection of an operation's calls that served the slow calls of another
 * operation (clients): device requests that the slow calls made, or calls of the threads that they
 * waited for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "calls/tb-peaks-calls.h"
#include "latency-state/tb-peaks-detection.h"

G_BEGIN_DECLS

/* Restricts an operation to the calls that served other calls, as in section 3.7 of the paper:
 * device requests that these made, and calls that other threads, of any process, made while one of
 * these calls waited for them. clients: the operation that was served, with its calls in the range
 * of bins. rows: rows of the operation's table, reduced to those that served. Returns an operation
 * with only these; NULL with error: there are none. (transfer none) */
const TbPeaksOperation *tb_peaks_find_server_calls (TbPeaksCalls *calls,
                                                    const TbPeaksOperation *operation,
                                                    GArray *rows,
                                                    const TbPeaksOperation *clients,
                                                    const TbPeakRange *range,
                                                    GError **error);

G_END_DECLS
