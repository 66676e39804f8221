#pragma once
#include <QTextBrowser>

/// Notes in Markdown, from outside: formatted, but without HTML, without loading anything, and with links that only
/// show where they lead.
class MarkdownView : public QTextBrowser
{
    Q_OBJECT
public:
    explicit MarkdownView(QWidget *parent = nullptr);
    void setNotes(const QString &markdown);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, 40}; }
    QVariant loadResource(int type, const QUrl &name) override;

private:
    QString m_shown;
};
