/* tb-wait-device-table.h: what each device can do, how that is known, and how much of it was used
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-figure.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

/* NULL where that is not what tells how idle devices are, or there are none. */
TbFigure *tb_wait_make_device_table (const TbWaitResult *result);

G_END_DECLS
