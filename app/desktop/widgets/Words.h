#pragma once
#include <QLabel>

/// Labels in the few sizes and weights that the application uses. All of them show plain text, so that text from
/// outside stays text.
namespace Words
{
QLabel *plain(const QString &text, QWidget *parent = nullptr);   ///< the system's font as it is
QLabel *title(const QString &text, QWidget *parent = nullptr);   ///< name of a page or an object
QLabel *aside(const QString &text, QWidget *parent = nullptr);   ///< as large as a title, light and muted
QLabel *figure(const QString &text, QWidget *parent = nullptr);  ///< a large number in a card
QLabel *heading(const QString &text, QWidget *parent = nullptr); ///< small and strong: over a card, over a group
QLabel *muted(const QString &text, QWidget *parent = nullptr);   ///< secondary
QLabel *mono(const QString &text, QWidget *parent = nullptr);    ///< requests, hashes, ids
/// The same fonts for painters.
QFont scaled(QFont font, double factor, QFont::Weight weight = QFont::Normal);
QFont monoFont(const QFont &base);
} // namespace Words
