/* tb-palette.c: the colours of figures
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-palette.h"

#include <adwaita.h>

#include "report/tb-finding.h"

#define RGB(hex) { ((hex) >> 16 & 255) / 255.f, ((hex) >> 8 & 255) / 255.f, ((hex) & 255) / 255.f, 1.f }
#define RGBA(hex, alpha)                                                                                     \
  { ((hex) >> 16 & 255) / 255.f, ((hex) >> 8 & 255) / 255.f, ((hex) & 255) / 255.f, (alpha) }

static const TbPalette palettes[TB_N_PALETTES] = {
  [TB_PALETTE_LIGHT] = {
    .paint = {
      [TB_PAINT_RUNNING] = RGB (0x009e73),
      [TB_PAINT_RUNNABLE] = RGB (0xf0e442),
      [TB_PAINT_WAITING] = RGB (0xdcdce1),
      [TB_PAINT_DISK] = RGB (0xe69f00),
      [TB_PAINT_UNINTERRUPTIBLE] = RGB (0xd55e00),
      [TB_PAINT_STOPPED] = RGB (0x8c8c96),
      [TB_PAINT_NETWORK] = RGB (0xcc79a7),
      [TB_PAINT_INTERRUPT] = RGB (0x56b4e9),
      [TB_PAINT_LOST] = RGB (0xb0b0b8),
      [TB_PAINT_UNKNOWN] = RGB (0xc3c3cc),
    },
    .on_paint = {
      [TB_PAINT_RUNNING] = RGB (0xffffff),
      [TB_PAINT_RUNNABLE] = RGB (0x1e1e22),
      [TB_PAINT_WAITING] = RGB (0x3a3a40),
      [TB_PAINT_DISK] = RGB (0x1e1e22),
      [TB_PAINT_UNINTERRUPTIBLE] = RGB (0x000000),
      [TB_PAINT_STOPPED] = RGB (0x000000),
      [TB_PAINT_NETWORK] = RGB (0x1e1e22),
      [TB_PAINT_INTERRUPT] = RGB (0x1e1e22),
      [TB_PAINT_LOST] = RGB (0x3a3a40),
      [TB_PAINT_UNKNOWN] = RGB (0x3a3a40),
    },
    .flame = {
      [TB_FLAME_USER] = RGB (0x6cc7a6),
      [TB_FLAME_KERNEL] = RGB (0x35a87f),
      [TB_FLAME_WAITING] = RGB (0xdcdce1),
      [TB_FLAME_PROCESS] = RGB (0x4c566a),
      [TB_FLAME_DISK] = RGB (0xe69f00),
      [TB_FLAME_NETWORK] = RGB (0xdb9bc0),
      [TB_FLAME_UNKNOWN] = RGB (0xe9e3d3),
      [TB_FLAME_BOTH] = RGB (0xb9dccf),
      [TB_FLAME_INFERRED] = RGB (0x6cc7a6),
      [TB_FLAME_UNSAMPLED] = RGB (0xd6e3a8),
      [TB_FLAME_QUEUED] = RGB (0xf6d491),
      [TB_FLAME_RUNNABLE] = RGB (0xf0e442),
      [TB_FLAME_PREEMPTED] = RGB (0xf6efa0),
      [TB_FLAME_INTERRUPT] = RGB (0x56b4e9),
      [TB_FLAME_KERNEL_BLOCK] = RGB (0xe58a4e),
      [TB_FLAME_SLEEPING] = RGB (0xccc8ee),
      [TB_FLAME_TIMED_OUT] = RGB (0xa8d7f3),
      [TB_FLAME_OTHER_PATH] = RGB (0xb09fd8),
      [TB_FLAME_LOST] = RGB (0xb0b0b8),
    },
    .on_flame = {
      [TB_FLAME_USER] = RGB (0x1e1e22),
      [TB_FLAME_KERNEL] = RGB (0x1e1e22),
      [TB_FLAME_WAITING] = RGB (0x1e1e22),
      [TB_FLAME_PROCESS] = RGB (0xffffff),
      [TB_FLAME_DISK] = RGB (0x1e1e22),
      [TB_FLAME_NETWORK] = RGB (0x1e1e22),
      [TB_FLAME_UNKNOWN] = RGB (0x1e1e22),
      [TB_FLAME_BOTH] = RGB (0x1e1e22),
      [TB_FLAME_INFERRED] = RGB (0x1e1e22),
      [TB_FLAME_UNSAMPLED] = RGB (0x1e1e22),
      [TB_FLAME_QUEUED] = RGB (0x1e1e22),
      [TB_FLAME_RUNNABLE] = RGB (0x1e1e22),
      [TB_FLAME_PREEMPTED] = RGB (0x1e1e22),
      [TB_FLAME_INTERRUPT] = RGB (0x1e1e22),
      [TB_FLAME_KERNEL_BLOCK] = RGB (0x1e1e22),
      [TB_FLAME_SLEEPING] = RGB (0x1e1e22),
      [TB_FLAME_TIMED_OUT] = RGB (0x1e1e22),
      [TB_FLAME_OTHER_PATH] = RGB (0x1e1e22),
      [TB_FLAME_LOST] = RGB (0x1e1e22),
    },
    .surface = RGB (0xffffff),
    .text = RGB (0x2e2e33),
    .dim = RGB (0x6e6e76),
    .grid = RGB (0xf0f0f3),
    .line = RGB (0xe0e0e4),
    .select = RGB (0x0b57b7),
    .accent = RGB (0x3584e4),
    .on_accent = RGB (0xffffff),
    .range = RGBA (0x3584e4, 0.16f),
    .match = RGB (0xa51d8f),
    .severity = { RGB (0x77777f), RGB (0x0072b2), RGB (0x8a6d00), RGB (0xc64600) },
  },
  [TB_PALETTE_DARK] = {
    .paint = {
      [TB_PAINT_RUNNING] = RGB (0x0fa77c),
      [TB_PAINT_RUNNABLE] = RGB (0xe6da3c),
      [TB_PAINT_WAITING] = RGB (0x4b4b53),
      [TB_PAINT_DISK] = RGB (0xe69f00),
      [TB_PAINT_UNINTERRUPTIBLE] = RGB (0xe06a10),
      [TB_PAINT_STOPPED] = RGB (0x85858f),
      [TB_PAINT_NETWORK] = RGB (0xd184af),
      [TB_PAINT_INTERRUPT] = RGB (0x56b4e9),
      [TB_PAINT_LOST] = RGB (0x6d6d77),
      [TB_PAINT_UNKNOWN] = RGB (0x5d5d68),
    },
    .on_paint = {
      [TB_PAINT_RUNNING] = RGB (0x04110c),
      [TB_PAINT_RUNNABLE] = RGB (0x141417),
      [TB_PAINT_WAITING] = RGB (0xd6d6dc),
      [TB_PAINT_DISK] = RGB (0x141417),
      [TB_PAINT_UNINTERRUPTIBLE] = RGB (0x141417),
      [TB_PAINT_STOPPED] = RGB (0x141417),
      [TB_PAINT_NETWORK] = RGB (0x141417),
      [TB_PAINT_INTERRUPT] = RGB (0x141417),
      [TB_PAINT_LOST] = RGB (0xffffff),
      [TB_PAINT_UNKNOWN] = RGB (0xffffff),
    },
    .flame = {
      [TB_FLAME_USER] = RGB (0x2f8468),
      [TB_FLAME_KERNEL] = RGB (0x1b6650),
      [TB_FLAME_WAITING] = RGB (0x4b4b53),
      [TB_FLAME_PROCESS] = RGB (0xb4bfd4),
      [TB_FLAME_DISK] = RGB (0xb27b00),
      [TB_FLAME_NETWORK] = RGB (0x9c5c80),
      [TB_FLAME_UNKNOWN] = RGB (0x57503f),
      [TB_FLAME_BOTH] = RGB (0x46665c),
      [TB_FLAME_INFERRED] = RGB (0x2f8468),
      [TB_FLAME_UNSAMPLED] = RGB (0x66702f),
      [TB_FLAME_QUEUED] = RGB (0x7d6228),
      [TB_FLAME_RUNNABLE] = RGB (0xe6da3c),
      [TB_FLAME_PREEMPTED] = RGB (0x8f8a35),
      [TB_FLAME_INTERRUPT] = RGB (0x3d8dbd),
      [TB_FLAME_KERNEL_BLOCK] = RGB (0xa9562a),
      [TB_FLAME_SLEEPING] = RGB (0x5c5890),
      [TB_FLAME_TIMED_OUT] = RGB (0x35617c),
      [TB_FLAME_OTHER_PATH] = RGB (0x775fa8),
      [TB_FLAME_LOST] = RGB (0x6d6d77),
    },
    .on_flame = {
      [TB_FLAME_USER] = RGB (0xffffff),
      [TB_FLAME_KERNEL] = RGB (0xffffff),
      [TB_FLAME_WAITING] = RGB (0xf2f2f5),
      [TB_FLAME_PROCESS] = RGB (0x0c0c0e),
      [TB_FLAME_DISK] = RGB (0x0c0a02),
      [TB_FLAME_NETWORK] = RGB (0xffffff),
      [TB_FLAME_UNKNOWN] = RGB (0xf2f2f5),
      [TB_FLAME_BOTH] = RGB (0xffffff),
      [TB_FLAME_INFERRED] = RGB (0xffffff),
      [TB_FLAME_UNSAMPLED] = RGB (0xffffff),
      [TB_FLAME_QUEUED] = RGB (0xffffff),
      [TB_FLAME_RUNNABLE] = RGB (0x0c0c0e),
      [TB_FLAME_PREEMPTED] = RGB (0x0c0c0e),
      [TB_FLAME_INTERRUPT] = RGB (0x0c0c0e),
      [TB_FLAME_KERNEL_BLOCK] = RGB (0xffffff),
      [TB_FLAME_SLEEPING] = RGB (0xffffff),
      [TB_FLAME_TIMED_OUT] = RGB (0xffffff),
      [TB_FLAME_OTHER_PATH] = RGB (0xffffff),
      [TB_FLAME_LOST] = RGB (0xffffff),
    },
    .surface = RGB (0x1d1d20),
    .text = RGB (0xf2f2f5),
    .dim = RGB (0xa5a5ae),
    .grid = RGB (0x29292d),
    .line = RGB (0x36363b),
    .select = RGB (0x86b9ff),
    .accent = RGB (0x3584e4),
    .on_accent = RGB (0xffffff),
    .range = RGBA (0x3584e4, 0.25f),
    .match = RGB (0xf08cdd),
    .severity = { RGB (0xa5a5ae), RGB (0x56b4e9), RGB (0xe6c34a), RGB (0xff7b45) },
  },
  [TB_PALETTE_LIGHT_CONTRAST] = {
    .paint = {
      [TB_PAINT_RUNNING] = RGB (0x00664a),
      [TB_PAINT_RUNNABLE] = RGB (0xf0e442),
      [TB_PAINT_WAITING] = RGB (0xa4a4ad),
      [TB_PAINT_DISK] = RGB (0xd08c00),
      [TB_PAINT_UNINTERRUPTIBLE] = RGB (0xa83f00),
      [TB_PAINT_STOPPED] = RGB (0x56565f),
      [TB_PAINT_NETWORK] = RGB (0xab4a80),
      [TB_PAINT_INTERRUPT] = RGB (0x1c7fbd),
      [TB_PAINT_LOST] = RGB (0x6a6a73),
      [TB_PAINT_UNKNOWN] = RGB (0x85858f),
    },
    .on_paint = {
      [TB_PAINT_RUNNING] = RGB (0xffffff),
      [TB_PAINT_RUNNABLE] = RGB (0x000000),
      [TB_PAINT_WAITING] = RGB (0x000000),
      [TB_PAINT_DISK] = RGB (0x000000),
      [TB_PAINT_UNINTERRUPTIBLE] = RGB (0xffffff),
      [TB_PAINT_STOPPED] = RGB (0xffffff),
      [TB_PAINT_NETWORK] = RGB (0xffffff),
      [TB_PAINT_INTERRUPT] = RGB (0x000000),
      [TB_PAINT_LOST] = RGB (0xffffff),
      [TB_PAINT_UNKNOWN] = RGB (0x000000),
    },
    .flame = {
      [TB_FLAME_USER] = RGB (0x4fb893),
      [TB_FLAME_KERNEL] = RGB (0x2fa47c),
      [TB_FLAME_WAITING] = RGB (0xcacad1),
      [TB_FLAME_PROCESS] = RGB (0x2c3444),
      [TB_FLAME_DISK] = RGB (0xe69f00),
      [TB_FLAME_NETWORK] = RGB (0xdb8fba),
      [TB_FLAME_UNKNOWN] = RGB (0xddd2b5),
      [TB_FLAME_BOTH] = RGB (0xa4d3c1),
      [TB_FLAME_INFERRED] = RGB (0x4fb893),
      [TB_FLAME_UNSAMPLED] = RGB (0xc3d67f),
      [TB_FLAME_QUEUED] = RGB (0xf2c566),
      [TB_FLAME_RUNNABLE] = RGB (0xf0e442),
      [TB_FLAME_PREEMPTED] = RGB (0xf2e880),
      [TB_FLAME_INTERRUPT] = RGB (0x3fa5e0),
      [TB_FLAME_KERNEL_BLOCK] = RGB (0xe07b38),
      [TB_FLAME_SLEEPING] = RGB (0xbab4ea),
      [TB_FLAME_TIMED_OUT] = RGB (0x8ccaf0),
      [TB_FLAME_OTHER_PATH] = RGB (0xa18cd4),
      [TB_FLAME_LOST] = RGB (0x6a6a73),
    },
    .on_flame = {
      [TB_FLAME_USER] = RGB (0x000000),
      [TB_FLAME_KERNEL] = RGB (0x000000),
      [TB_FLAME_WAITING] = RGB (0x000000),
      [TB_FLAME_PROCESS] = RGB (0xffffff),
      [TB_FLAME_DISK] = RGB (0x000000),
      [TB_FLAME_NETWORK] = RGB (0x000000),
      [TB_FLAME_UNKNOWN] = RGB (0x000000),
      [TB_FLAME_BOTH] = RGB (0x000000),
      [TB_FLAME_INFERRED] = RGB (0x000000),
      [TB_FLAME_UNSAMPLED] = RGB (0x000000),
      [TB_FLAME_QUEUED] = RGB (0x000000),
      [TB_FLAME_RUNNABLE] = RGB (0x000000),
      [TB_FLAME_PREEMPTED] = RGB (0x000000),
      [TB_FLAME_INTERRUPT] = RGB (0x000000),
      [TB_FLAME_KERNEL_BLOCK] = RGB (0x000000),
      [TB_FLAME_SLEEPING] = RGB (0x000000),
      [TB_FLAME_TIMED_OUT] = RGB (0x000000),
      [TB_FLAME_OTHER_PATH] = RGB (0x000000),
      [TB_FLAME_LOST] = RGB (0xffffff),
    },
    .surface = RGB (0xffffff),
    .text = RGB (0x000000),
    .dim = RGB (0x3c3c43),
    .grid = RGB (0xd9d9de),
    .line = RGB (0x77777f),
    .select = RGB (0x00398c),
    .accent = RGB (0x1a5fb4),
    .on_accent = RGB (0xffffff),
    .range = RGBA (0x1a5fb4, 0.20f),
    .match = RGB (0x8a0f75),
    .severity = { RGB (0x3c3c43), RGB (0x00517e), RGB (0x6b5400), RGB (0xa23400) },
  },
  [TB_PALETTE_DARK_CONTRAST] = {
    .paint = {
      [TB_PAINT_RUNNING] = RGB (0x2fd3a3),
      [TB_PAINT_RUNNABLE] = RGB (0xfff05a),
      [TB_PAINT_WAITING] = RGB (0x74747f),
      [TB_PAINT_DISK] = RGB (0xffb81f),
      [TB_PAINT_UNINTERRUPTIBLE] = RGB (0xff8238),
      [TB_PAINT_STOPPED] = RGB (0xb4b4bf),
      [TB_PAINT_NETWORK] = RGB (0xf0a3cd),
      [TB_PAINT_INTERRUPT] = RGB (0x7ccbf8),
      [TB_PAINT_LOST] = RGB (0xa3a3ae),
      [TB_PAINT_UNKNOWN] = RGB (0x8a8a96),
    },
    .on_paint = {
      [TB_PAINT_RUNNING] = RGB (0x000000),
      [TB_PAINT_RUNNABLE] = RGB (0x000000),
      [TB_PAINT_WAITING] = RGB (0xffffff),
      [TB_PAINT_DISK] = RGB (0x000000),
      [TB_PAINT_UNINTERRUPTIBLE] = RGB (0x000000),
      [TB_PAINT_STOPPED] = RGB (0x000000),
      [TB_PAINT_NETWORK] = RGB (0x000000),
      [TB_PAINT_INTERRUPT] = RGB (0x000000),
      [TB_PAINT_LOST] = RGB (0x000000),
      [TB_PAINT_UNKNOWN] = RGB (0x000000),
    },
    .flame = {
      [TB_FLAME_USER] = RGB (0x1f7257),
      [TB_FLAME_KERNEL] = RGB (0x0d5240),
      [TB_FLAME_WAITING] = RGB (0x4b4b53),
      [TB_FLAME_PROCESS] = RGB (0xd5def0),
      [TB_FLAME_DISK] = RGB (0xd99a10),
      [TB_FLAME_NETWORK] = RGB (0x8d4a70),
      [TB_FLAME_UNKNOWN] = RGB (0x4d4636),
      [TB_FLAME_BOTH] = RGB (0x3d5d52),
      [TB_FLAME_INFERRED] = RGB (0x1f7257),
      [TB_FLAME_UNSAMPLED] = RGB (0x57611f),
      [TB_FLAME_QUEUED] = RGB (0x705516),
      [TB_FLAME_RUNNABLE] = RGB (0xfff05a),
      [TB_FLAME_PREEMPTED] = RGB (0x7d7824),
      [TB_FLAME_INTERRUPT] = RGB (0x7ccbf8),
      [TB_FLAME_KERNEL_BLOCK] = RGB (0x96471c),
      [TB_FLAME_SLEEPING] = RGB (0x514d86),
      [TB_FLAME_TIMED_OUT] = RGB (0x2a5570),
      [TB_FLAME_OTHER_PATH] = RGB (0x69509c),
      [TB_FLAME_LOST] = RGB (0xa3a3ae),
    },
    .on_flame = {
      [TB_FLAME_USER] = RGB (0xffffff),
      [TB_FLAME_KERNEL] = RGB (0xffffff),
      [TB_FLAME_WAITING] = RGB (0xffffff),
      [TB_FLAME_PROCESS] = RGB (0x000000),
      [TB_FLAME_DISK] = RGB (0x000000),
      [TB_FLAME_NETWORK] = RGB (0xffffff),
      [TB_FLAME_UNKNOWN] = RGB (0xffffff),
      [TB_FLAME_BOTH] = RGB (0xffffff),
      [TB_FLAME_INFERRED] = RGB (0xffffff),
      [TB_FLAME_UNSAMPLED] = RGB (0xffffff),
      [TB_FLAME_QUEUED] = RGB (0xffffff),
      [TB_FLAME_RUNNABLE] = RGB (0x000000),
      [TB_FLAME_PREEMPTED] = RGB (0x000000),
      [TB_FLAME_INTERRUPT] = RGB (0x000000),
      [TB_FLAME_KERNEL_BLOCK] = RGB (0xffffff),
      [TB_FLAME_SLEEPING] = RGB (0xffffff),
      [TB_FLAME_TIMED_OUT] = RGB (0xffffff),
      [TB_FLAME_OTHER_PATH] = RGB (0xffffff),
      [TB_FLAME_LOST] = RGB (0x000000),
    },
    .surface = RGB (0x111113),
    .text = RGB (0xffffff),
    .dim = RGB (0xd4d4da),
    .grid = RGB (0x3a3a40),
    .line = RGB (0x9a9aa5),
    .select = RGB (0xb0d2ff),
    .accent = RGB (0x62a0ea),
    .on_accent = RGB (0x000000),
    .range = RGBA (0x62a0ea, 0.30f),
    .match = RGB (0xffb3f1),
    .severity = { RGB (0xd4d4da), RGB (0x7ccbf8), RGB (0xffdf6b), RGB (0xff9a6e) },
  },
};

/**
 * tb_palette_get:
 * @style: which
 *
 * Returns: (transfer none): the colours of a style, valid for ever
 */
const TbPalette *
tb_palette_get (TbPaletteStyle style)
{
  g_return_val_if_fail (style < TB_N_PALETTES, &palettes[TB_PALETTE_LIGHT]);

  return &palettes[style];
}

/**
 * tb_palette_get_default:
 *
 * The colours that go with the style the application has now; another pointer when it changes. The blue of selections
 * does not follow the user's accent colour, because that may be the colour of a state.
 *
 * Returns: (transfer none): colours
 */
const TbPalette *
tb_palette_get_default (void)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  guint style = TB_PALETTE_LIGHT;

  if (adw_style_manager_get_dark (manager))
    style += TB_PALETTE_DARK - TB_PALETTE_LIGHT;
  if (adw_style_manager_get_high_contrast (manager))
    style += TB_PALETTE_LIGHT_CONTRAST - TB_PALETTE_LIGHT;
  return &palettes[style];
}
