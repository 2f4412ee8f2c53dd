/* tb-record-purpose.h: presets of collector options for purposes of a recording, such as rare
 * stalls or low cost: table, application to a collector, search of the one that its options match
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/recording/tb-collector-choice.h"

G_BEGIN_DECLS

guint tb_record_purpose_get_n (void);
const char *tb_record_purpose_get_name (guint purpose);
const char *tb_record_purpose_get_description (guint purpose);
gboolean tb_record_purpose_suits (guint purpose, const TbCollectorChoice *choice);
void tb_record_purpose_apply (guint purpose, const TbCollectorChoice *choice);
guint tb_record_purpose_find (const TbCollectorChoice *choice);

G_END_DECLS
