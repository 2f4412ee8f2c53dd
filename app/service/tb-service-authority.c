/* tb-service-authority.c: question to polkit whether the sender of a D-Bus message may do something
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-service-authority.h"

#define POLKIT_NAME "org.freedesktop.PolicyKit1"
#define POLKIT_PATH "/org/freedesktop/PolicyKit1/Authority"
#define POLKIT_INTERFACE "org.freedesktop.PolicyKit1.Authority"
#define ALLOW_USER_INTERACTION 1u

typedef struct
{
  GDBusMethodInvocation *invocation;
  char *action;
  GVariant *details;
  guint32 uid;
} Check;

static void
check_free (gpointer data)
{
  Check *check = data;

  g_object_unref (check->invocation);
  g_free (check->action);
  g_clear_pointer (&check->details, g_variant_unref);
  g_free (check);
}

static void
refuse (GTask *task, const char *reason)
{
  const Check *check = g_task_get_task_data (task);

  g_task_return_new_error (task, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED, "%s: %s", check->action,
                           reason);
}

static void
on_answer (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer
      = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  gboolean authorized, challenge;

  if (answer == NULL)
    {
      g_dbus_error_strip_remote_error (error);
      refuse (task, error->message);
      return;
    }
  g_variant_get (answer, "((bba{ss}))", &authorized, &challenge, NULL);
  if (authorized)
    g_task_return_boolean (task, TRUE);
  else
    refuse (task, challenge ? "authentication is required" : "not authorized");
}

static void
ask_polkit (GTask *task)
{
  const Check *check = g_task_get_task_data (task);
  GDBusMessage *message = g_dbus_method_invocation_get_message (check->invocation);
  gboolean may_ask
      = (g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION)
        != 0;
  GVariantBuilder subject;

  g_variant_builder_init (&subject, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&subject, "{sv}", "name",
                         g_variant_new_string (
                             g_dbus_method_invocation_get_sender (check->invocation)));
  g_dbus_connection_call (g_dbus_method_invocation_get_connection (check->invocation), POLKIT_NAME,
                          POLKIT_PATH, POLKIT_INTERFACE, "CheckAuthorization",
                          g_variant_new ("((sa{sv})s@a{ss}us)", "system-bus-name", &subject,
                                         check->action,
                                         check->details != NULL ? check->details
                                                                : g_variant_new ("a{ss}", NULL),
                                         may_ask ? ALLOW_USER_INTERACTION : 0, ""),
                          G_VARIANT_TYPE ("((bba{ss}))"), G_DBUS_CALL_FLAGS_NONE, G_MAXINT, NULL,
                          on_answer, g_object_ref (task));
}

static void
on_user (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Check *check = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer
      = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);

  if (answer == NULL)
    {
      refuse (task, "the caller has left the bus");
      return;
    }
  g_variant_get (answer, "(u)", &check->uid);
  /* Root may do everything, also where there is no polkit. */
  if (check->uid == 0)
    g_task_return_boolean (task, TRUE);
  else
    ask_polkit (task);
}

void
tb_service_authority_check_async (GDBusMethodInvocation *invocation,
                                  const char *action,
                                  GVariant *details,
                                  GAsyncReadyCallback callback,
                                  gpointer data)
{
  GTask *task = g_task_new (NULL, NULL, callback, data);
  Check *check = g_new0 (Check, 1);

  g_task_set_source_tag (task, tb_service_authority_check_async);
  check->invocation = g_object_ref (invocation);
  check->action = g_strdup (action);
  check->details = details != NULL ? g_variant_ref_sink (details) : NULL;
  g_task_set_task_data (task, check, check_free);
  g_dbus_connection_call (g_dbus_method_invocation_get_connection (invocation),
                          "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                          "GetConnectionUnixUser",
                          g_variant_new ("(s)", g_dbus_method_invocation_get_sender (invocation)),
                          G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_user, task);
}

gboolean
tb_service_authority_check_finish (GAsyncResult *result, guint32 *uid, GError **error)
{
  const Check *check = g_task_get_task_data (G_TASK (result));

  *uid = check->uid;
  return g_task_propagate_boolean (G_TASK (result), error);
}
