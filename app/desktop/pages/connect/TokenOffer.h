#pragma once
#include "pve/TokenMaker.h"
#include "widgets/Card.h"
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;

/// "Sign in once": offers a token of its own for this connection in place of the password; the person chooses its role
/// and where it counts, and sees every privilege before.
class TokenOffer : public Card
{
    Q_OBJECT
public:
    explicit TokenOffer(QWidget *parent = nullptr);
    /// Shows what the server offers. "PVEAdmin" is preselected, since it can run guests and not change rights.
    void show(const TokenChoices &choices);
    using QWidget::show;
    /// Absent: the password is to be kept.
    std::optional<TokenGrant> grant() const;

private:
    void tell();

    QCheckBox *m_wants;
    QComboBox *m_role, *m_place;
    QLabel *m_privileges;
    QWidget *m_choice;
};
