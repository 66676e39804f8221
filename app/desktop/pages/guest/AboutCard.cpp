#include "pages/guest/AboutCard.h"
#include "base/DisplayText.h"
#include "model/PveValue.h"
#include "widgets/Facts.h"
#include "widgets/GuestWords.h"
#include "widgets/MarkdownView.h"
#include "widgets/Quantity.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QJsonArray>
#include <QPushButton>
#include <QVBoxLayout>

AboutCard::AboutCard(QWidget *parent)
    : Card(tr("About"), parent), m_facts(new Facts(this)), m_notes(new MarkdownView(this)),
      m_noNotes(Words::muted(tr("No notes."), this)), m_edit(new QPushButton(tr("Edit"), this))
{
    body()->addWidget(m_facts);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(0, 8, 0, 0);
    row->addWidget(Words::heading(tr("Notes"), this));
    row->addStretch(1);
    m_edit->setProperty("role", QStringLiteral("link"));
    m_edit->setObjectName(QStringLiteral("editNotes"));
    m_edit->setAccessibleName(tr("Edit notes"));
    row->addWidget(m_edit);
    body()->addLayout(row);
    body()->addWidget(m_notes, 1);
    body()->addWidget(m_noNotes, 1, Qt::AlignTop);
    m_notes->setAccessibleName(tr("Notes"));
    connect(m_edit, &QPushButton::clicked, this, &AboutCard::editNotesAsked);
}

/// PVE's short names of systems, as its own interface spells them out.
static QString systemWords(const QJsonObject &config, GuestKind kind)
{
    const auto type = config[QLatin1String("ostype")].toString();
    if (type.isEmpty() || type == QLatin1String("unmanaged"))
        return {};
    static const QHash<QString, QString> known{
        {QStringLiteral("l26"), QStringLiteral("Linux")},
        {QStringLiteral("l24"), QStringLiteral("Linux 2.4")},
        {QStringLiteral("win11"), QStringLiteral("Windows 11/2022/2025")},
        {QStringLiteral("win10"), QStringLiteral("Windows 10/2016/2019")},
        {QStringLiteral("win8"), QStringLiteral("Windows 8/2012")},
        {QStringLiteral("win7"), QStringLiteral("Windows 7/2008r2")},
        {QStringLiteral("other"), QCoreApplication::translate("AboutCard", "other")}};
    if (kind == GuestKind::Qemu)
        return known.value(type, DisplayText::visible(type));
    auto name = DisplayText::visible(type);
    name[0] = name[0].toUpper();
    return name;
}

void AboutCard::show(const GuestView &view)
{
    const auto &guest = view.guest;
    auto status = GuestWords::state(guest);
    if (guest.power == GuestState::Power::Running && guest.uptime)
        status = tr("%1, %2").arg(status, Quantity::duration(*guest.uptime));
    m_facts->set(tr("Status"), status);
    m_facts->set(tr("Node"), guest.node.text());
    m_facts->set(tr("Kind"), GuestWords::kind(guest));
    m_facts->set(tr("System"), systemWords(view.config(), guest.kind));
    showResources(view);
    showRules(view);
    const auto isKnown = !view.answer.isEmpty();
    const auto notes = view.answer[QLatin1String("notes")].toString();
    m_notes->setNotes(notes);
    m_notes->setVisible(!notes.isEmpty());
    m_noNotes->setText(isKnown ? tr("No notes.") : tr("Not read yet."));
    m_noNotes->setVisible(notes.isEmpty());
    m_edit->setEnabled(isKnown && view.isLive());
}

void AboutCard::showResources(const GuestView &view)
{
    const auto &guest = view.guest;
    m_facts->set(tr("CPU"), guest.cpus ? tr("%1 cores").arg(*guest.cpus) : Quantity::unknown());
    m_facts->set(tr("Memory"), Quantity::bytes(guest.maxMemory));
    const auto disk = guest.kind == GuestKind::Lxc ? tr("Root disk") : tr("Boot disk");
    m_facts->set(disk, GuestWords::disk(guest));
    m_facts->setBar(disk, GuestWords::diskShare(guest).value_or(-1));
}

void AboutCard::showRules(const GuestView &view)
{
    m_facts->set(tr("Pool"), DisplayText::visible(view.guest.pool));
    m_facts->set(tr("HA"), view.guest.haState.isEmpty() ? tr("not managed") : DisplayText::visible(view.guest.haState));
    if (view.answer.isEmpty())
        return;
    const auto config = view.config();
    const auto onBoot = PveValue::boolean(config, "onboot").value_or(false);
    const auto order = config[QLatin1String("startup")].toString();
    m_facts->set(tr("Start at boot"), !onBoot           ? tr("no")
                                      : order.isEmpty() ? tr("yes")
                                                        : tr("yes, %1").arg(DisplayText::visible(order)));
    m_facts->set(tr("Protected"),
                 PveValue::boolean(config, "protection").value_or(false) ? tr("yes, from deleting") : QString());
    const auto waiting = view.answer[QLatin1String("waiting_for_restart")].toArray();
    QStringList keys;
    for (const auto &change : waiting)
        keys << DisplayText::visible(change[QLatin1String("key")].toString());
    m_facts->set(tr("Waits for a restart"), keys.join(QStringLiteral(", ")));
}

void AboutCard::showSnapshots(const QJsonArray &snapshots, qint64 nowMs)
{
    qint64 newest = 0;
    for (const auto &snapshot : snapshots)
        newest = std::max(newest, snapshot[QLatin1String("time")].toInteger());
    if (snapshots.isEmpty())
        m_facts->set(tr("Snapshots"), tr("none"));
    else if (newest == 0)
        m_facts->set(tr("Snapshots"), QString::number(snapshots.size()));
    else
        m_facts->set(tr("Snapshots"),
                     tr("%1 · newest %2").arg(snapshots.size()).arg(Quantity::ago(newest * 1000, nowMs)));
}
