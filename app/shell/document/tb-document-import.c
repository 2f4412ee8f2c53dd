/* tb-document-import.c: import of a file whose importer has options: the user chooses them, or
 * those of the last import are used
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document-private.h"
#include "shell/tb-plugin-options.h"

/**
 * tb_document_set_interactive:
 * @interactive: whether the user chooses the options of an importer
 *
 * By default the document emits `importer-found` if its importer has options, and waits for
 * tb_document_import(). A document that is not interactive is imported with the options of the last
 * import.
 */
void
tb_document_set_interactive (TbDocument *self, gboolean interactive)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  self->is_interactive = interactive;
}

void
tb_document_restore_options (TbImporter *importer)
{
  g_autoptr (GSettings) settings = g_settings_new (TAILBACK_SETTINGS_ID);

  tb_plugin_options_restore (G_OBJECT (importer), settings);
}

void
tb_document_take_importer (TbDocument *self, TbImporter *importer)
{
  if (self->is_interactive)
    {
      g_signal_emit_by_name (self, "importer-found", importer);
      return;
    }
  tb_document_restore_options (importer);
  tb_document_load_with (self, importer);
}

/**
 * tb_document_import:
 * @importer: the importer that the document emitted, with its options set
 *
 * Goes on with the load.
 */
void
tb_document_import (TbDocument *self, TbImporter *importer)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));
  g_return_if_fail (TB_IS_IMPORTER (importer));

  if (self->state == TB_DOCUMENT_LOADING)
    tb_document_load_with (self, importer);
}
