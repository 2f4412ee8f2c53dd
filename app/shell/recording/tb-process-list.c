/* tb-process-list.c: processes to choose from: item with PID, name and command line, list of those
 * running on this machine, rows that show them, search by text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "base/tb-host-agent.h"
#include "base/tb-sandbox.h"
#include "shell/document/tb-short-text.h"
#include "shell/recording/tb-process-list.h"

struct _TbProcessItem
{
  GObject parent;

  guint32 id; /* in a recording */
  gint32 pid;
  char *name;
  char *command;
};

enum
{
  PROP_0,
  PROP_NAME,
  PROP_COMMAND,
  PROP_TEXT,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (TbProcessItem, tb_process_item, G_TYPE_OBJECT)

static void
tb_process_item_finalize (GObject *object)
{
  TbProcessItem *self = TB_PROCESS_ITEM (object);

  g_free (self->name);
  g_free (self->command);
  G_OBJECT_CLASS (tb_process_item_parent_class)->finalize (object);
}

static void
tb_process_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbProcessItem *self = TB_PROCESS_ITEM (object);

  switch (id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_COMMAND:
      g_value_set_string (value, self->command);
      break;
    case PROP_TEXT:
      g_value_take_string (value,
                           g_strdup_printf ("%s %d %s", self->name, self->pid, self->command));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_process_item_class_init (TbProcessItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = tb_process_item_finalize;
  object_class->get_property = tb_process_item_get_property;
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  props[PROP_COMMAND] = g_param_spec_string ("command", NULL, NULL, NULL, flags);
  /* Text that the search matches. */
  props[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
tb_process_item_init (TbProcessItem *self)
{
}

/**
 * tb_process_item_new:
 * @id: id in a recording; 0 for a process that is running now
 * @pid: PID
 * @name: name of the process
 * @command: command line, "" if unknown
 *
 * Returns: (transfer full): a process to choose
 */
TbProcessItem *
tb_process_item_new (guint32 id, gint32 pid, const char *name, const char *command)
{
  TbProcessItem *self = g_object_new (TB_TYPE_PROCESS_ITEM, NULL);

  self->id = id;
  self->pid = pid;
  self->name = g_strdup (name);
  self->command = g_strdup (command);
  return self;
}

guint32
tb_process_item_get_id (TbProcessItem *self)
{
  g_return_val_if_fail (TB_IS_PROCESS_ITEM (self), 0);
  return self->id;
}

gint32
tb_process_item_get_pid (TbProcessItem *self)
{
  g_return_val_if_fail (TB_IS_PROCESS_ITEM (self), 0);
  return self->pid;
}

const char *
tb_process_item_get_name (TbProcessItem *self)
{
  g_return_val_if_fail (TB_IS_PROCESS_ITEM (self), NULL);
  return self->name;
}

const char *
tb_process_item_get_command (TbProcessItem *self)
{
  g_return_val_if_fail (TB_IS_PROCESS_ITEM (self), NULL);
  return self->command;
}

static char *
read_text (const char *pid, const char *name)
{
  g_autofree char *path = g_build_filename ("/proc", pid, name, NULL);
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL))
    return NULL;
  for (gsize i = 0; i + 1 < length; i++)
    if (text[i] == '\0')
      text[i] = ' ';
  g_strchomp (text);
  return g_utf8_make_valid (text, -1);
}

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbProcessItem *first = a, *second = b;
  int order = g_utf8_collate (first->name, second->name);

  return order != 0 ? order : first->pid - second->pid;
}

static void
append (GListStore *list, gint32 pid, const char *name, const char *command)
{
  g_autoptr (TbProcessItem) item = tb_process_item_new (0, pid, name, command);

  g_list_store_append (list, item);
}

static void
list_visible (GListStore *list)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *name = NULL;
      g_autofree char *command = NULL;
      guint64 pid;

      if (!g_ascii_string_to_unsigned (entry, 10, 1, G_MAXINT32, &pid, NULL)
          || (gint32) pid == getpid ())
        continue;
      name = read_text (entry, "comm");
      command = read_text (entry, "cmdline");
      if (name != NULL && command != NULL && command[0] != '\0')
        append (list, (gint32) pid, name, command);
    }
}

/* FALSE with error: there is no agent, or it does not permit that. */
static gboolean
list_of_host (GListStore *list, GError **error)
{
  g_autoptr (GVariant) processes = tb_host_agent_list_processes (NULL, error);
  const char *name, *command;
  GVariantIter iter;
  gint32 pid;

  if (processes == NULL)
    return FALSE;
  g_variant_iter_init (&iter, processes);
  while (g_variant_iter_next (&iter, "(i&s&s)", &pid, &name, &command))
    append (list, pid, name, command);
  return TRUE;
}

/**
 * tb_process_list_new:
 * @problem: (out) (optional): why there are none, in a sandbox whose computer does not list them
 *
 * Returns: (transfer full): a list of #TbProcessItem, sorted by name, of the running processes of
 *   this computer; without kernel threads (which have no command line) and without this process
 */
GListStore *
tb_process_list_new (char **problem)
{
  GListStore *list = g_list_store_new (TB_TYPE_PROCESS_ITEM);
  g_autoptr (GError) error = NULL;

  if (!tb_sandbox_is_active ())
    list_visible (list);
  else if (!list_of_host (list, &error) && problem != NULL)
    *problem = tb_host_agent_exists ()
                   ? g_strdup_printf (_ ("The agent of this computer does not list its processes: "
                                         "%s. Ask the administrator."),
                                      error->message)
                   : tb_host_agent_describe_missing ();
  g_list_store_sort (list, compare, NULL);
  return list;
}

static void
setup_process (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *grid = gtk_grid_new (), *name = gtk_label_new (NULL), *pid = gtk_label_new (NULL),
            *command = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  /* Workers of a program differ in the ends of their names. */
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  tb_short_text_add_tooltip (name);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_xalign (GTK_LABEL (command), 0);
  gtk_label_set_ellipsize (GTK_LABEL (command), PANGO_ELLIPSIZE_END);
  tb_short_text_add_tooltip (command);
  gtk_label_set_single_line_mode (GTK_LABEL (name), TRUE);
  gtk_label_set_single_line_mode (GTK_LABEL (command), TRUE);
  gtk_widget_add_css_class (pid, "dimmed");
  gtk_widget_add_css_class (pid, "numeric");
  gtk_widget_add_css_class (command, "dimmed");
  gtk_widget_add_css_class (command, "caption");
  gtk_grid_attach (GTK_GRID (grid), name, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), pid, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), command, 0, 1, 2, 1);
  gtk_widget_set_margin_top (grid, 6);
  gtk_widget_set_margin_bottom (grid, 6);
  gtk_list_item_set_child (list_item, grid);
}

static void
bind_process (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  TbProcessItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *grid = gtk_list_item_get_child (list_item);
  g_autofree char *pid = g_strdup_printf ("%d", tb_process_item_get_pid (item));
  /* A command line may contain a script of several lines, but a row has one. */
  g_autofree char *command
      = g_strdelimit (g_strdup (tb_process_item_get_command (item)), "\n\r\t", ' ');

  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 0, 0)),
                      tb_process_item_get_name (item));
  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 1, 0)), pid);
  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (grid), 0, 1)), command);
  gtk_list_item_set_accessible_label (list_item, tb_process_item_get_name (item));
}

/**
 * tb_process_list_new_factory:
 *
 * Returns: (transfer full): a factory for rows of #TbProcessItem in a list view
 */
GtkListItemFactory *
tb_process_list_new_factory (void)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_process), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_process), NULL);
  return factory;
}

/**
 * tb_process_list_new_search:
 * @processes: (transfer full): list of #TbProcessItem
 * @search: entry with the search text
 *
 * Returns: (transfer full): the processes that match, for a list view
 */
GtkSelectionModel *
tb_process_list_new_search (GListModel *processes, GtkSearchEntry *search)
{
  GtkStringFilter *filter
      = gtk_string_filter_new (gtk_property_expression_new (TB_TYPE_PROCESS_ITEM, NULL, "text"));
  GtkFilterListModel *found = gtk_filter_list_model_new (processes, GTK_FILTER (filter));

  g_object_bind_property (search, "text", filter, "search", G_BINDING_SYNC_CREATE);
  return GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (found)));
}
