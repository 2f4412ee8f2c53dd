/* tb-perf-data-importer.h: importer of perf.data files and folders: recognition of them, and import
 * by TbPerfFile and TbPerfImport
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-importer.h"

G_BEGIN_DECLS

#define TB_TYPE_PERF_DATA_IMPORTER (tb_perf_data_importer_get_type ())
G_DECLARE_FINAL_TYPE (TbPerfDataImporter, tb_perf_data_importer, TB, PERF_DATA_IMPORTER, GObject)

G_END_DECLS
