/* tb-bytes.h: address of bytes, for language bindings that can read memory without a copy
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT guint64 tb_bytes_get_address (GBytes *bytes, gsize *size);

G_END_DECLS
