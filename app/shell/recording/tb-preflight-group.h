/* tb-preflight-group.h: preflight results of a collector: what works on this computer
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
