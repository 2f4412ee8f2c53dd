/* tb-extend-error.c: error domain of options, of plug-ins and of the engine
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/tb-extend-error.h"

/**
 * tb_extend_error_quark:
 *
 * Gets the error domain of plug-ins.
 *
 * Returns: the domain
 */
G_DEFINE_QUARK (tb-extend-error-quark, tb_extend_error);
