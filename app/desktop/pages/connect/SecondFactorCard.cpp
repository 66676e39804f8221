#include "pages/connect/SecondFactorCard.h"
#include "base/DisplayText.h"
#include "widgets/Words.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

SecondFactorCard::SecondFactorCard(QWidget *parent)
    : Card({}, parent), m_title(Words::plain({}, this)), m_problem(Words::plain({}, this)), m_kind(new QComboBox(this)),
      m_code(new QLineEdit(this)), m_send(new QPushButton(tr("Sign in"), this))
{
    setProperty("tone", QStringLiteral("amber"));
    m_title->setFont(Words::scaled(font(), 1.0, QFont::Bold));
    m_title->setWordWrap(true);
    m_problem->setProperty("role", "bad");
    m_problem->setObjectName(QStringLiteral("codeProblem"));
    m_problem->setWordWrap(true);
    m_code->setObjectName(QStringLiteral("code"));
    m_code->setAccessibleName(tr("Code"));
    m_code->setInputMethodHints(Qt::ImhNoPredictiveText | Qt::ImhSensitiveData);
    m_kind->setAccessibleName(tr("Kind of code"));
    m_kind->setObjectName(QStringLiteral("codeKind"));
    m_send->setAutoDefault(false);
    m_send->setObjectName(QStringLiteral("sendCode"));
    m_send->setProperty("role", "primary");
    connect(m_send, &QPushButton::clicked, this, &SecondFactorCard::answer);
    connect(m_code, &QLineEdit::returnPressed, this, &SecondFactorCard::answer);
    connect(m_code, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_send->setEnabled(!text.trimmed().isEmpty()); });
    auto *row = new QHBoxLayout;
    row->addWidget(m_kind);
    row->addWidget(m_code, 1);
    row->addWidget(m_send);
    body()->addWidget(m_title);
    body()->addLayout(row);
    body()->addWidget(m_problem);
}

static QString nameOf(SecondFactor::Kind kind)
{
    switch (kind) {
    case SecondFactor::Kind::Totp: return SecondFactorCard::tr("Code of the app");
    case SecondFactor::Kind::Recovery: return SecondFactorCard::tr("Recovery key");
    case SecondFactor::Kind::Yubico: return SecondFactorCard::tr("YubiKey");
    }
    Q_UNREACHABLE();
}

void SecondFactorCard::ask(const QString &user, const SecondFactor &factor)
{
    m_title->setText(tr("%1 has a second factor. Type the code that is shown now.").arg(DisplayText::visible(user)));
    m_kind->clear();
    for (const auto kind : factor.kinds)
        m_kind->addItem(nameOf(kind), static_cast<int>(kind));
    m_problem->hide();
    setBusy(false);
    m_code->clear();
    m_send->setEnabled(false);
    show();
    m_code->setFocus();
}

void SecondFactorCard::refuse(const QString &why)
{
    setBusy(false);
    m_code->clear();
    m_problem->setText(DisplayText::visible(why, true));
    m_problem->show();
    m_code->setFocus();
}

void SecondFactorCard::setBusy(bool isBusy)
{
    m_kind->setEnabled(!isBusy && m_kind->count() > 1);
    m_code->setEnabled(!isBusy);
    m_send->setEnabled(!isBusy && !m_code->text().trimmed().isEmpty());
}

void SecondFactorCard::answer()
{
    if (m_code->text().trimmed().isEmpty())
        return;
    const Secret code(m_code->text().toUtf8());
    setBusy(true);
    Q_EMIT answered(static_cast<SecondFactor::Kind>(m_kind->currentData().toInt()), code);
}
