/* tb-wait-device-table.h: table in a wait-graph report: rate used and capacity of each device,
 * with the source of the capacity (option, link speed or measured peak)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-figure.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* NULL where idleness is not measured by capacity, or there are no devices. */
TbFigure *tb_wait_make_device_table (const TbWaitResult *result);

G_END_DECLS
