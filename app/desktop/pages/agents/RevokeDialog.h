#pragma once
#include <QDialog>

/// Asks once more before a program is shut out; accepted() = yes.
class RevokeDialog : public QDialog
{
    Q_OBJECT
public:
    /// `name` is safe to show.
    explicit RevokeDialog(const QString &name, QWidget *parent = nullptr);
};
