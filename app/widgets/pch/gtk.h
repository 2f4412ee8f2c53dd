/* gtk.h: precompiled header with the headers of GTK and libadwaita, for the rooms (folders) that
 * use them and their tests
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Without it each file takes a third of a second to read these headers.
 */

#pragma once

#include <adwaita.h>
