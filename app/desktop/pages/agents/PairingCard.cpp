#include "pages/agents/PairingCard.h"
#include "base/DisplayText.h"
#include "widgets/Words.h"
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

static QString processOf(const PairingRequest &request)
{
    QStringList parts;
    if (!request.program.isEmpty())
        parts << DisplayText::visible(request.program);
    if (request.pid)
        parts << PairingCard::tr("pid %1").arg(request.pid);
    return parts.isEmpty() ? PairingCard::tr("no process is known") : parts.join(QStringLiteral(" · "));
}

PairingCard::PairingCard(const PairingRequest &request, QWidget *parent) : Card({}, parent)
{
    setProperty("tone", "amber");
    auto *title = Words::plain(tr("Unknown program wants to connect"), this);
    title->setFont(Words::scaled(font(), 1.0, QFont::Bold));
    body()->addWidget(title);
    QStringList lines{processOf(request)};
    if (!request.name.isEmpty())
        lines << tr("calls itself “%1”").arg(DisplayText::visible(request.name.left(80)));
    lines << tr("no key, so it can do nothing");
    for (const auto &line : lines) {
        auto *label = Words::muted(line, this);
        label->setWordWrap(true);
        body()->addWidget(label);
    }
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    auto *pair = new QPushButton(tr("Pair it…"), this);
    pair->setObjectName(QStringLiteral("pair"));
    auto *ignore = new QPushButton(tr("Ignore"), this);
    ignore->setObjectName(QStringLiteral("ignore"));
    connect(pair, &QPushButton::clicked, this, &PairingCard::pairAsked);
    connect(ignore, &QPushButton::clicked, this, &PairingCard::ignored);
    buttons->addWidget(pair);
    buttons->addWidget(ignore);
    buttons->addStretch();
    body()->addLayout(buttons);
}
