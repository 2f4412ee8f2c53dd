/* tb-switch-rate.h: present rate of thread switches on this computer, for the expected cost of
 * recordings
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT guint64 tb_switch_rate_get (void);
TB_EXPORT void tb_switch_rate_set (guint64 rate);

G_END_DECLS
