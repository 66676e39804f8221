#include "widgets/CodeBlock.h"
#include "widgets/Words.h"
#include <QTextBlock>
#include <QWheelEvent>

static constexpr int padding = 9;

CodeBlock::CodeBlock(const QString &text, QWidget *parent) : QPlainTextEdit(parent)
{
    setFont(Words::monoFont(font()));
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setStyleSheet(
        QStringLiteral("QPlainTextEdit{background:palette(midlight);border:none;border-radius:5px;padding:0}"));
    setWordWrapMode(QTextOption::WrapAnywhere);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setViewportMargins(padding, padding - 2, padding, padding - 2);
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
    const auto room = std::max(40, width - 2 * padding - cursorWidth() - 2);
    int lines = 0;
    for (auto block = document()->begin(); block.isValid(); block = block.next()) {
        const auto text = block.text().isEmpty() ? QStringLiteral(" ") : block.text();
        const auto high = metrics.boundingRect(0, 0, room, 0, Qt::TextWrapAnywhere, text).height();
        lines += std::max(1, (high + metrics.lineSpacing() / 2) / metrics.lineSpacing());
    }
    return lines * metrics.lineSpacing() + 2 * padding;
}

QSize CodeBlock::sizeHint() const
{
    return {200, heightForWidth(width())};
}
QSize CodeBlock::minimumSizeHint() const
{
    return {80, fontMetrics().lineSpacing() + 2 * padding};
}

void CodeBlock::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the page scrolls, not the block
}
