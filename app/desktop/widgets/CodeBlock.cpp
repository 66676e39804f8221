#include "widgets/CodeBlock.h"
#include "widgets/Words.h"
#include <QTextBlock>
#include <QWheelEvent>

CodeBlock::CodeBlock(const QString &text, QWidget *parent, Ground ground)
    : QPlainTextEdit(parent), m_padding(ground == Ground::Grey ? 9 : 0)
{
    setFont(Words::monoFont(font()));
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    const auto behind = ground == Ground::Grey ? QStringLiteral("palette(midlight)") : QStringLiteral("transparent");
    setStyleSheet(QStringLiteral("QPlainTextEdit{background:%1;border:none;border-radius:5px;padding:0}").arg(behind));
    setWordWrapMode(QTextOption::WrapAnywhere);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const auto above = std::max(0, m_padding - 2);
    setViewportMargins(m_padding, above, m_padding, above);
    auto policy = QSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    document()->setDocumentMargin(0);
    setCode(text);
}

void CodeBlock::setCode(const QString &text)
{
    setPlainText(text);
    updateGeometry();
}

int CodeBlock::heightForWidth(int width) const
{
    const auto metrics = fontMetrics();
    const auto room = std::max(40, width - 2 * m_padding - cursorWidth() - 2);
    int lines = 0;
    for (auto block = document()->begin(); block.isValid(); block = block.next()) {
        const auto text = block.text().isEmpty() ? QStringLiteral(" ") : block.text();
        const auto high = metrics.boundingRect(0, 0, room, 0, Qt::TextWrapAnywhere, text).height();
        lines += std::max(1, (high + metrics.lineSpacing() / 2) / metrics.lineSpacing());
    }
    return lines * metrics.lineSpacing() + 2 * m_padding;
}

QSize CodeBlock::sizeHint() const
{
    return {200, heightForWidth(width())};
}
QSize CodeBlock::minimumSizeHint() const
{
    return {80, fontMetrics().lineSpacing() + 2 * m_padding};
}

void CodeBlock::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the page scrolls, not the block
}
