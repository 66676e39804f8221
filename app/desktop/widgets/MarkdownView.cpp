#include "widgets/MarkdownView.h"
#include "base/DisplayText.h"
#include <QTextDocument>

MarkdownView::MarkdownView(QWidget *parent) : QTextBrowser(parent)
{
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setStyleSheet(QStringLiteral("QTextBrowser { background: transparent; border: none; padding: 0; }"));
    document()->setDocumentMargin(0);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    connect(this, qOverload<const QUrl &>(&QTextBrowser::highlighted), this,
            [this](const QUrl &url) { setToolTip(url.toString().toHtmlEscaped()); });
}

void MarkdownView::setNotes(const QString &markdown)
{
    const auto safe = DisplayText::visible(markdown, true);
    if (safe == m_shown)
        return;
    m_shown = safe;
    document()->setMarkdown(safe, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                      QTextDocument::MarkdownNoHTML);
    updateGeometry();
}

QSize MarkdownView::sizeHint() const
{
    return {200, std::clamp(static_cast<int>(document()->size().height()) + 4, 40, 400)};
}

QVariant MarkdownView::loadResource(int, const QUrl &)
{
    return {};
}
