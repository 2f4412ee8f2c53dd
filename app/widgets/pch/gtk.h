/* gtk.h: precompiled for the rooms that draw and for their tests: each of their files takes a third of a second to read this
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <adwaita.h>
