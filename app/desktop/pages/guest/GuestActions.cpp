#include "pages/guest/GuestActions.h"
#include "model/PveValue.h"
#include "operations/Operation.h"
#include "operations/OperationAction.h"
#include "operations/OperationButton.h"
#include "operations/OperationDialog.h"
#include "operations/OperationForm.h"
#include "operations/PersonCalls.h"
#include <QHBoxLayout>
#include <QJsonArray>

GuestActions::GuestActions(PersonCalls &calls, QWidget *parent) : QWidget(parent), m_calls(calls)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_start = add("guest.start", false, &GuestActions::start);
    m_shutDown = add("guest.shutdown", false, &GuestActions::shutDown);
    m_stop = add("guest.stop", false, &GuestActions::stop);
    m_snapshot = add("snapshot.create", true, &GuestActions::takeSnapshot);
    m_configure = add("guest.config.set", true, &GuestActions::configure);
    m_delete = add("guest.delete", true, &GuestActions::remove);
    row->addStretch(1);
}

OperationAction *GuestActions::add(const char *operation, bool asksFirst, void (GuestActions::*run)())
{
    auto *action = new OperationAction(*m_calls.catalogue().find(QLatin1String(operation)), asksFirst, this);
    connect(action, &QAction::triggered, this, run);
    layout()->addWidget(new OperationButton(action, this));
    return action;
}

void GuestActions::show(const GuestView &view)
{
    m_view = view;
    const auto power = view.guest.power;
    const bool isUp = power != GuestState::Power::Stopped && power != GuestState::Power::Unknown;
    const bool isKnown = view.isLive() && power != GuestState::Power::Unknown;
    m_start->setVisible(!isUp && !view.guest.isTemplate);
    m_shutDown->setVisible(isUp);
    m_stop->setVisible(isUp);
    m_snapshot->setVisible(!view.guest.isTemplate);
    for (auto *action : {m_start, m_shutDown, m_stop, m_snapshot, m_configure, m_delete})
        action->setEnabled(isKnown);
    m_configure->setEnabled(isKnown && !view.answer.isEmpty());
}

QList<QAction *> GuestActions::actionsNow() const
{
    QList<QAction *> all;
    for (auto *action : {m_start, m_shutDown, m_stop, m_snapshot, m_configure, m_delete})
        if (action->isVisible() && action->isEnabled())
            all << action;
    return all;
}

void GuestActions::runAtOnce(const char *operation)
{
    m_calls.change(QLatin1String(operation), {{QStringLiteral("guest"), m_view.key()}});
}

OperationDialog *GuestActions::ask(const char *operation, QJsonObject fixed, const QStringList &hidden)
{
    fixed.insert(QStringLiteral("guest"), m_view.key());
    auto *dialog = new OperationDialog(*m_calls.catalogue().find(QLatin1String(operation)), m_view.ref().label(),
                                       std::move(fixed), hidden, m_calls, window());
    dialog->open();
    return dialog;
}

void GuestActions::start()
{
    runAtOnce("guest.start");
}

void GuestActions::shutDown()
{
    runAtOnce("guest.shutdown");
}

void GuestActions::stop()
{
    runAtOnce("guest.stop");
}

void GuestActions::takeSnapshot()
{
    const bool isMachine = m_view.guest.kind == GuestKind::Qemu;
    ask("snapshot.create", {}, isMachine ? QStringList() : QStringList{QStringLiteral("include_memory")});
}

void GuestActions::editNotes()
{
    auto *dialog = ask("guest.notes.set");
    dialog->form().setPresent(QStringLiteral("notes"), m_view.answer[QLatin1String("notes")].toString());
    dialog->resize(560, 420);
}

void GuestActions::configure()
{
    const bool isMachine = m_view.guest.kind == GuestKind::Qemu;
    QStringList hidden{QStringLiteral("unset")};
    hidden << (isMachine ? QStringList{QStringLiteral("swap")}
                         : QStringList{QStringLiteral("balloon"), QStringLiteral("sockets")});
    auto *dialog = ask("guest.config.set", {}, hidden);
    const auto config = m_view.config();
    for (const auto &parameter : m_calls.catalogue().find(QStringLiteral("guest.config.set"))->parameters) {
        const auto name = QString::fromLatin1(parameter.name);
        const auto value = config[!isMachine && name == QLatin1String("name") ? QStringLiteral("hostname") : name];
        if (value.isUndefined())
            continue;
        const bool isSwitch = qstrcmp(parameter.type, "boolean") == 0;
        dialog->form().setPresent(name, isSwitch ? QJsonValue(PveValue::boolean(value).value_or(false)) : value);
    }
    dialog->setOnlyChanges(true);
    const QPointer<OperationDialog> shown(dialog);
    dialog->setFinish([shown, isMachine](QJsonObject json) {
        auto gone = shown->form().emptied();
        if (!isMachine)
            gone.replaceInStrings(QStringLiteral("name"), QStringLiteral("hostname"));
        if (!gone.isEmpty())
            json.insert(QStringLiteral("unset"), QJsonArray::fromStringList(gone));
        return json;
    });
}

void GuestActions::remove()
{
    auto *dialog = ask("guest.delete");
    dialog->form().setPresent(QStringLiteral("purge"), true);
}
