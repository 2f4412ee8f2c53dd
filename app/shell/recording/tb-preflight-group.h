/* tb-preflight-group.h: group of rows with the preflight results of a collector: what does not work
 * on this computer, what works with a remark, what works
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/recording/tb-preflight-survey.h"

G_BEGIN_DECLS

#define TB_TYPE_PREFLIGHT_GROUP (tb_preflight_group_get_type ())
G_DECLARE_FINAL_TYPE (TbPreflightGroup,
                      tb_preflight_group,
                      TB,
                      PREFLIGHT_GROUP,
                      AdwPreferencesGroup)

void tb_preflight_group_show (TbPreflightGroup *self, const TbPreflightResult *preflight_result);

G_END_DECLS
